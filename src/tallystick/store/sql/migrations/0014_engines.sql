-- The open executions that a runner carries out by an engine: its workers look for those that nobody works on.
alter table executions add column engine text {c} not null default '';
create index executions_open_of_engine on executions (journal, engine, id)
    where status in ('running', 'paused', 'blocked', 'unwinding');
