-- A transaction says first which journal it is about; whatever its statements forget to say, no other is seen. Before
-- the number of a journal is known it says what it seeks: `name:...`, `hash:...`, or `names`. The sub-select is
-- evaluated once for a statement, and a setting that was local to a transaction is empty after it, not null.
do $$
declare
    own constant text := '(select nullif(current_setting(''tallystick.journal'', true), '''')::bigint)';
    each text;
begin
    foreach each in array array['entries', 'bodies', 'leases', 'credentials', 'trails', 'words', 'plans', 'revisions',
        'executions', 'steps', 'actions', 'approvals', 'context', 'sessions', 'keys'] loop
        execute format('create policy own on %I using (journal = %s)', each, own);
        execute format('alter table %I enable row level security, force row level security', each);
    end loop;
    execute format('create policy own on journals using (number = %s)', own);
end $$;

create policy sought on journals for select
using ((select current_setting('tallystick.seek', true)) in ('name:' || name, 'names'));
create policy begun on journals for insert
with check ('name:' || name = (select current_setting('tallystick.seek', true)));
alter table journals enable row level security, force row level security;

create policy sought on credentials for select
using ('hash:' || hash = (select current_setting('tallystick.seek', true)));

-- It tells nothing of any journal, and who opens a store looks here first.
create policy read on schema_versions using (true);
alter table schema_versions enable row level security, force row level security;

-- Under a policy a search could not use its index: PostgreSQL takes an operator for an index only if it is proven to
-- leak nothing, and that of words is not. So the owner searches for the others, in the journal that was entered.
create function found_words(every text, each_of text, before bigint, most bigint) returns setof bigint
language plpgsql stable security definer as $$
declare
    first constant bigint := nullif(current_setting('tallystick.journal', true), '')::bigint << 40;
    terms constant text[] := string_to_array(each_of, E'\n');
begin
    return query select found.place from (
        select w.place from words w where w.part = 0 and w.words @@ every::tsquery
            and w.place > first and w.place < first + before
        union all
        select w.place from words w, unnest(terms) as term where w.part > 0
            and w.place > first and w.place < first + before
        group by w.place having count(distinct term) filter (where w.words @@ term::tsquery) = cardinality(terms)
    ) as found order by found.place desc limit most;
end $$;

do $$
begin
    execute format('alter function found_words set search_path = %I, pg_temp', current_schema());
end $$;
revoke all on function found_words from public;
