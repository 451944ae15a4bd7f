create function entries_are_final() returns trigger language plpgsql as $$
begin raise exception 'entries are final: an entry is never changed or deleted'; end $$;

create trigger entries_are_final before update or delete on entries
for each row execute function entries_are_final();

create trigger entries_are_not_truncated before truncate on entries
for each statement execute function entries_are_final();

create trigger bodies_are_not_changed before update on bodies
for each row execute function entries_are_final();

-- A tsvector holds less than 1 MB of words: an entry with more is kept in parts 1, 2, ..., any other as part 0.
create table words (
    place bigint not null,
    part bigint not null,
    journal bigint not null,
    words tsvector not null,
    primary key (place, part)
);
create index words_found on words using gin (words);
create index words_in_parts on words (place) where part > 0;
