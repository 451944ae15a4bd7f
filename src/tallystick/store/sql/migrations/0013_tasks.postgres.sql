do $$
declare
    own constant text := '(select nullif(current_setting(''tallystick.journal'', true), '''')::bigint)';
begin
    execute format('create policy own on tasks using (journal = %s)', own);
    alter table tasks enable row level security, force row level security;
end $$;
