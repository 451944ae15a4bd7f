create trigger entries_are_not_changed before update on entries
begin select raise(abort, 'entries are final: an entry is never changed'); end;

create trigger entries_are_not_deleted before delete on entries
begin select raise(abort, 'entries are final: an entry is never deleted'); end;

-- `insert or replace` deletes without the trigger above.
create trigger entries_are_not_replaced before insert on entries when exists (select 1 from entries where place = new.place)
begin select raise(abort, 'entries are final: an entry is never replaced'); end;

create trigger bodies_are_not_changed before update on bodies
begin select raise(abort, 'bodies are final: erase one, or record anew'); end;

-- Words only, no text: rowid is the place. The words of an erased body are taken out by value.
-- They come in lower case and apart; `ascii` changes nothing about them, whatever their letters.
create virtual table words using fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
);
insert into words (words, rank) values ('secure-delete', 1);

-- Written after pages were cleaned behind SQLite's back: a change makes every connection forget the pages it knows.
create table scrubs (journal bigint primary key, times bigint not null);

-- What the planner cannot know of an empty file: how these tables look when they are large. Without it, it takes a
-- journal for a few rows and walks through all of them instead of using an index.
analyze;
delete from sqlite_stat1;
insert into sqlite_stat1 (tbl, idx, stat) values
    ('trails', 'trails', '10000000 10000000 100 1'),
    ('plans', 'plans', '10000 10000 1'),
    ('plans', 'plans_by_task', '10000 10000 2 1'),
    ('revisions', 'revisions', '10000 10000 1'),
    ('revisions', 'revisions_of_plan', '10000 10000 2 1'),
    ('executions', 'executions', '100000 100000 1'),
    ('executions', 'executions_by_status', '100000 100000 5000 1'),
    ('executions', 'executions_by_task', '100000 100000 10 1'),
    ('executions', 'executions_of_plan', '100000 100000 10 1'),
    ('executions', 'executions_of_session', '100000 100000 20 5 1'),
    ('steps', 'steps', '100000 100000 1'),
    ('steps', 'steps_by_status', '100000 100000 10 3 1'),
    ('actions', 'actions', '1000000 1000000 1'),
    ('actions', 'actions_by_effect', '1000000 1000000 1000 2 1'),
    ('actions', 'actions_unsettled', '100 100 40 5 1'),
    ('actions', 'actions_owed', '10000 10000 100 1'),
    ('approvals', 'approvals', '10000 10000 1'),
    ('approvals', 'approvals_by_status', '10000 10000 1000 1'),
    ('approvals', 'approvals_of_execution', '10000 10000 2 1'),
    ('context', 'context', '10000 10000 1'),
    ('context', 'context_by_scope', '10000 10000 3000 10 1'),
    ('sessions', 'sessions', '10000 10000 1'),
    ('sessions', 'sessions_by_status', '10000 10000 100 1'),
    ('sessions', 'sessions_by_name', '10000 10000 2 1');

-- Read again what was just written.
analyze sqlite_schema;
