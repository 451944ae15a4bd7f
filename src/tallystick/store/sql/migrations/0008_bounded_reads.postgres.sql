-- Words are found between two places, each part by the plan that is the cheapest for that distance: through the index
-- over words, or backwards through the places.
drop function found_words(text, text, bigint, bigint);

create function found_words(every text, each_of text, after bigint, before bigint, most bigint) returns setof bigint
language plpgsql stable security definer as $$
declare
    first constant bigint := nullif(current_setting('tallystick.journal', true), '')::bigint << 40;
begin
    return query execute format(
        'select found.place from (
            (select w.place from words w where w.part = 0 and w.words @@ %1$L::tsquery
                and w.place > %3$s and w.place < %4$s order by w.place desc limit %5$s)
            union all
            (select w.place from words w, unnest(string_to_array(%2$L, E''\n'')) as term where w.part > 0
                and w.place > %3$s and w.place < %4$s
            group by w.place having count(distinct term) filter (where w.words @@ term::tsquery)
                = cardinality(string_to_array(%2$L, E''\n'')))
        ) as found order by found.place desc limit %5$s',
        every, each_of, first + after, first + before, most);
end $$;

do $$
begin
    execute format('alter function found_words set search_path = %I, pg_temp', current_schema());
end $$;
revoke all on function found_words from public;
