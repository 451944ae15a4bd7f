-- What a page reads: an index in the order of its ids, so that a page costs what its rows cost.

-- Executions with something on their undo list, also where nothing of it can be undone.
drop index executions_owing;
create index executions_owing on executions (journal, id) where owing in ('yes', 'rest');

-- Of what is on an undo list, the actions of steps: they are ordered by dependencies.
create index actions_owed_of_steps on actions (journal, execution, id)
    where owed in ('owed', 'undoing', 'in_doubt', 'failed', 'not_possible', 'partly') and step > '';

-- Unsettled actions in order: of the journal, of one session, and of one execution. Few rows are in these at any time.
drop index actions_unsettled;
create index actions_unsettled on actions (journal, session, id) where state in ('open', 'doubted', 'unknown');
create index actions_unsettled_in_order on actions (journal, id) where state in ('open', 'doubted', 'unknown');
create index actions_unsettled_of_execution on actions (journal, execution, id)
    where state in ('open', 'doubted', 'unknown');

create index plans_by_status on plans (journal, status, id);
create index approvals_pending on approvals (journal, execution, id) where status in ('pending');
