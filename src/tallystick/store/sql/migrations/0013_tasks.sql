-- Tasks that were recorded, by their ids in the user's own system.
create table tasks (
    journal bigint not null,
    id text {c} not null,
    type text {c} not null,
    parent text {c} not null,
    actor text not null,
    at bigint not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index tasks_of_parent on tasks (journal, parent, id);
create index tasks_of_type on tasks (journal, type, id);

-- Plans that are templates, by name, and those that make a plan for each task of a type.
alter table plans add column template text {c} not null default '';
alter table plans add column for_tasks text {c} not null default '';
create index plans_templates on plans (journal, template, id) where template > '';
create index plans_for_tasks on plans (journal, for_tasks, id) where for_tasks > '';
