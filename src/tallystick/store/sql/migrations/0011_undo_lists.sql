-- The undo list of an execution, and what of it is owed. The status of an execution decides what is owed, so a move of
-- the status rewrites no action.
drop index actions_owed;
drop index actions_owed_of_steps;
alter table actions rename column owed to undo_state;
create index actions_not_undone on actions (journal, execution, id)
    where undo_state in ('not_undone', 'undoing', 'in_doubt', 'failed', 'not_possible', 'partly');
create index actions_not_undone_of_steps on actions (journal, execution, id)
    where undo_state in ('not_undone', 'undoing', 'in_doubt', 'failed', 'not_possible', 'partly') and step > '';
create index actions_undone on actions (journal, execution, id) where undo_state in ('undone');
create index actions_kept on actions (journal, execution, id) where undo_state in ('kept');

-- Temporary actions that were not put back.
alter table actions add column to_put_back text not null default 'no';
create index actions_to_put_back on actions (journal, execution, id) where to_put_back in ('yes');

-- "maybe": something temporary is left, which is owed once nobody works on the execution any more.
drop index executions_owing;
create index executions_owing on executions (journal, id) where owing in ('yes', 'rest', 'maybe');
