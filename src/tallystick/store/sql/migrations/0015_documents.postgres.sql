do $$
declare
    own constant text := '(select nullif(current_setting(''tallystick.journal'', true), '''')::bigint)';
begin
    execute format('create policy own on documents using (journal = %s)', own);
    alter table documents enable row level security, force row level security;
end $$;
