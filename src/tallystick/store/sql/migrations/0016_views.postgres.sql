-- The views read with the rights of whoever asks, so that row-level security applies. PostgreSQL before 15 cannot do so;
-- there nobody but their owner has rights on them.
do $$
declare
    each text;
begin
    if current_setting('server_version_num')::int >= 150000 then
        for each in select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'v'
            and (relname like 'recorded\_%' or relname like 'agent\_%')
        loop
            execute format('alter view %I set (security_invoker = true)', each);
        end loop;
    end if;
end $$;

-- A reader is a role of the server that sees some journals through the views. The policies of the tables let everybody
-- in who says which journal a transaction is about, and a reader could name any journal: so its own policy is
-- restrictive as well. It holds constants, so that it is a condition of the indexes. The numbers of the journals stand
-- in a comment on the policy.
create function readable_journals(reader oid) returns bigint[] language sql stable as $$
    select coalesce(max(obj_description(oid, 'pg_policy')), '{}')::bigint[] from pg_policy
    where polrelid = 'journals'::regclass and polname = 'restricts_' || reader
$$;

create function set_readable_journals(reader text, numbers bigint[]) returns void language plpgsql as $$
declare
    id constant oid := (select oid from pg_roles where rolname = reader);
    each text;
    shown text;
    these text;
begin
    perform set_config('lock_timeout', '500ms', true);  -- less than until a deadlock with a writer is looked for
    for each, shown in select * from (values ('journals', 'number, name'), ('entries', 'place, journal, line, hash'),
        ('bodies', 'place, journal, body'), ('trails', '*'), ('plans', '*'), ('revisions', '*'), ('executions', '*'),
        ('steps', '*'), ('actions', '*'), ('approvals', '*'), ('context', '*')) as readable
    loop
        execute format('drop policy if exists %I on %I', 'shows_' || id, each);
        execute format('drop policy if exists %I on %I', 'restricts_' || id, each);
        execute format('revoke all on %I from %I', each, reader);
        continue when numbers = '{}';
        execute format('grant select %s on %I to %I', case shown when '*' then '' else '(' || shown || ')' end, each, reader);
        these := case
            when each in ('entries', 'bodies') then (
                select string_agg(format('(place > %s and place < %s)', number << 40, (number + 1) << 40), ' or ')
                from unnest(numbers) as number)
            else format('%I = any (%L::bigint[])', case each when 'journals' then 'number' else 'journal' end, numbers) end;
        execute format('create policy %I on %I for select to %I using (%s)', 'shows_' || id, each, reader, these);
        execute format('create policy %I on %I as restrictive for select to %I using (%s)',
            'restricts_' || id, each, reader, these);
    end loop;
    for each in select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'v'
        and (relname like 'recorded\_%' or relname like 'agent\_%')
    loop
        execute format('revoke all on %I from %I', each, reader);
        continue when numbers = '{}';
        execute format('alter view %I set (security_invoker = true)', each);
        execute format('grant select on %I to %I', each, reader);
    end loop;
    if numbers <> '{}' then
        execute format('grant usage on schema %I to %I', current_schema(), reader);
        execute format('comment on policy %I on journals is %L', 'restricts_' || id, numbers);
    end if;
end $$;

create function journal_number(journal text) returns bigint language plpgsql as $$
declare
    before constant text := current_setting('tallystick.seek', true);
    found bigint;
begin
    perform set_config('tallystick.seek', 'name:' || journal, true);
    select number into found from journals where name = journal;
    perform set_config('tallystick.seek', coalesce(before, ''), true);
    if found is null then
        raise exception 'There is no journal "%".', journal using hint = 'select journal_names() lists all.';
    end if;
    return found;
end $$;

create function role_named(reader text) returns pg_roles language plpgsql as $$
declare
    role constant pg_roles := (select r from pg_roles r where rolname = reader);
begin
    if role.oid is null then
        raise exception 'There is no role "%".', reader using hint = format('create role %I login password ''...''', reader);
    end if;
    return role;
end $$;

create function grant_reading(journal text, reader text) returns void language plpgsql as $$
declare
    number constant bigint := journal_number(journal);
    role constant pg_roles := role_named(reader);
    other constant text := (
        select min(r.rolname) from pg_roles r join pg_policy p on p.polname = 'restricts_' || r.oid
        where p.polrelid = 'journals'::regclass and r.oid <> role.oid
            and (pg_has_role(role.oid, r.oid, 'usage') or pg_has_role(r.oid, role.oid, 'usage')));
begin
    if current_setting('server_version_num')::int < 150000 then
        raise exception 'Readers need PostgreSQL 15 or newer: in older ones, views do not obey row-level security.';
    elsif role.rolsuper or role.rolbypassrls or exists (select from pg_class where oid = 'journals'::regclass
        and pg_has_role(role.oid, relowner, 'member'))
        or exists (select from pg_roles where rolname = 'tallystick' and pg_has_role(role.oid, oid, 'member'))
    then
        raise exception 'The role "%" may read every journal already.', reader
            using hint = 'Use a role without SUPERUSER and BYPASSRLS that belongs to neither tallystick nor the owner.';
    elsif other is not null then
        -- The restrictive policies of a group hold its members too.
        raise exception 'The role "%" reads journals, and is a group or a member of "%".', other, reader using
            hint = format('Grant to one of them, or a member sees only what both may. Else revoke_reading(..., %L) first.', other);
    end if;
    perform set_readable_journals(reader, array(
        select distinct each from unnest(readable_journals(role.oid) || number) as each order by each));
end $$;

create function revoke_reading(journal text, reader text) returns void language plpgsql as $$
declare
    number constant bigint := journal_number(journal);
    before constant bigint[] := readable_journals((role_named(reader)).oid);
begin
    if before <> '{}' then  -- rights that a role has otherwise stay
        perform set_readable_journals(reader, array_remove(before, number));
    end if;
end $$;

do $$
declare
    each text;
begin
    foreach each in array array['readable_journals(oid)', 'set_readable_journals(text, bigint[])',
        'journal_number(text)', 'role_named(text)', 'grant_reading(text, text)', 'revoke_reading(text, text)'] loop
        execute format('alter function %s set search_path = %I, pg_temp', each, current_schema());
        execute format('revoke all on function %s from public', each);
    end loop;
    -- What does not exist yet is dropped with a notice.
    alter function set_readable_journals(text, bigint[]) set client_min_messages = warning;
end $$;
