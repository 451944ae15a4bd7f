-- The same call in doubt, in any execution: found by its effect among the few actions without an outcome.
create index actions_unsettled_by_effect on actions (journal, effect_key, id)
    where state in ('open', 'doubted', 'unknown');

-- Executions of the same work, by plan or by a digest of title and task: the open ones, and those with an action that
-- is open or in doubt.
alter table executions add column title_key text {c} not null default '';
create index executions_open_of_plan on executions (journal, plan_id, id)
    where status in ('running', 'paused', 'blocked', 'unwinding');
create index executions_open_of_title on executions (journal, title_key, id)
    where status in ('running', 'paused', 'blocked', 'unwinding');
create index executions_unsettled_of_plan on executions (journal, plan_id, id) where unsettled in ('yes');
create index executions_unsettled_of_title on executions (journal, title_key, id) where unsettled in ('yes');
