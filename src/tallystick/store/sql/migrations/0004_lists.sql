-- What the lists of people are found by: a page costs the same among a hundred executions and a hundred thousand.

-- The shape of the rows that were filed: those of another shape are folded again (see core/state.py).
alter table journals add column shape bigint not null default 0;

alter table executions add column client text not null default '';
create index executions_by_actor on executions (journal, actor, id);
create index executions_by_client on executions (journal, client, id);

-- Whether something is owed, unsettled, or asked of a person: few are, and each changes seldom.
alter table executions add column owing text not null default 'no';
alter table executions add column unsettled text not null default 'no';
alter table executions add column asking text not null default 'no';
create index executions_owing on executions (journal, id) where owing in ('yes');
create index executions_unsettled on executions (journal, id) where unsettled in ('yes');
create index executions_asking on executions (journal, id) where asking in ('yes');

-- The timeline: the actions of one execution in the order in which they began.
create index actions_of_execution on actions (journal, execution, id);
