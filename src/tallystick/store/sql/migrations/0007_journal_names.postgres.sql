-- The lookup `names` showed whole rows, secrets included. Now it shows them to the owner alone, as whom the function runs.
drop policy sought on journals;
create policy sought on journals for select
using ('name:' || name = (select current_setting('tallystick.seek', true)));
create policy listed on journals for select
using ((select current_setting('tallystick.seek', true) = 'names' and pg_get_userbyid(relowner) = current_user
    from pg_class where oid = 'journals'::regclass));

create function journal_names() returns setof text language plpgsql security definer as $$
declare
    before constant text := current_setting('tallystick.seek', true);
begin
    perform set_config('tallystick.seek', 'names', true);
    return query select name from journals;
    perform set_config('tallystick.seek', coalesce(before, ''), true);
end $$;

do $$
begin
    execute format('alter function journal_names set search_path = %I, pg_temp', current_schema());
end $$;
revoke all on function journal_names from public;
