create function journals_are_kept() returns trigger language plpgsql as $$
begin raise exception 'the row of a journal is final: it is never deleted, renamed or given another key'; end $$;

create trigger journals_are_not_deleted before delete on journals
for each row execute function journals_are_kept();

create trigger journals_are_not_renamed before update of number, name, secret on journals
for each row execute function journals_are_kept();

create trigger journals_are_not_truncated before truncate on journals
for each statement execute function journals_are_kept();

-- The numbers of journals that have entries and no row, and so no name. Numbers that were never used have neither.
create function orphans() returns setof bigint language plpgsql security definer as $$
declare
    seek_before constant text := current_setting('tallystick.seek', true);
    journal_before constant text := current_setting('tallystick.journal', true);
    named bigint[];
    each bigint;
begin
    perform set_config('tallystick.seek', 'names', true);
    named := array(select number from journals);
    for each in select number from generate_series(1, (select last_value from journals_number_seq)) as number
        where number <> all (named)
    loop
        perform set_config('tallystick.journal', each::text, true);
        if exists (select from entries where place > each << 40 and place < (each + 1) << 40) then
            return next each;
        end if;
    end loop;
    perform set_config('tallystick.seek', coalesce(seek_before, ''), true);
    perform set_config('tallystick.journal', coalesce(journal_before, ''), true);
end $$;

do $$
begin
    execute format('alter function orphans set search_path = %I, pg_temp', current_schema());
end $$;
revoke all on function orphans from public;
