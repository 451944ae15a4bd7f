-- The journal: entries that are final, bodies that can be erased, and the rows folded from them.
-- In braces: what SQLite and PostgreSQL write differently (see migrating.py).

create table journals (
    number {autopk},
    name text {c} not null unique,
    secret {blob} not null,
    -- Up to which entry the rows and trails below are written, and up to which the words.
    filed bigint not null default 0,
    indexed bigint not null default 0,
    -- How often the rows were dropped and folded again: whoever knows some from before forgets them.
    rebuilt bigint not null default 0
);

-- A place is journal * 2^40 + sequence number: one integer, always growing, is the cheapest key to append under.
create table entries (
    place {placepk},
    journal bigint not null,
    line text not null,
    hash text not null
);

create table bodies (
    place {placepk},
    journal bigint not null,
    salt {blob} not null,
    body text not null
);

-- Not derived: a lease is renewed without an entry, a credential's hash is in none.
create table leases (
    journal bigint not null,
    session text {c} not null,
    expires bigint not null,
    seconds double precision not null,
    primary key (journal, session)
) {clustered};

create table credentials (
    journal bigint not null,
    name text {c} not null,
    hash text not null,
    scopes text not null,
    revoked bigint not null,
    primary key (journal, name)
) {clustered};

-- Derived from the entries, all of what follows: `rebuild` drops and folds it again.
create table trails (
    journal bigint not null,
    execution text {c} not null,
    place bigint not null,
    primary key (journal, execution, place)
) {clustered};

create table plans (
    journal bigint not null,
    id text {c} not null,
    status text not null,
    task_id text not null,
    type text not null,
    actor text not null,
    at bigint not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index plans_by_task on plans (journal, task_id, id);

create table revisions (
    journal bigint not null,
    id text {c} not null,
    plan_id text {c} not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index revisions_of_plan on revisions (journal, plan_id, id);

create table executions (
    journal bigint not null,
    id text {c} not null,
    status text not null,
    task_id text not null,
    plan_id text {c} not null,
    actor text not null,
    session text {c} not null,
    at bigint not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index executions_by_status on executions (journal, status, id);
create index executions_open on executions (journal, id)
    where status in ('running', 'paused', 'blocked', 'unwinding');
create index executions_by_task on executions (journal, task_id, id);
create index executions_of_plan on executions (journal, plan_id, id);
create index executions_of_session on executions (journal, session, status, id);

create table steps (
    journal bigint not null,
    id text {c} not null,
    execution text {c} not null,
    status text not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index steps_by_status on steps (journal, execution, status, id);

create table actions (
    journal bigint not null,
    id text {c} not null,
    execution text {c} not null,
    session text {c} not null,
    state text not null,
    owed text not null,
    step text not null,
    tool text not null,
    effect_key text {c} not null,
    actor text not null,
    at bigint not null,
    undoes text {c} not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index actions_by_effect on actions (journal, execution, effect_key, id);
create index actions_unsettled on actions (journal, state, session, id)
    where state in ('open', 'doubted', 'unknown');
create index actions_owed on actions (journal, execution, id)
    where owed in ('owed', 'undoing', 'in_doubt', 'failed', 'not_possible', 'partly');

create table approvals (
    journal bigint not null,
    id text {c} not null,
    status text not null,
    execution text {c} not null,
    effect_key text {c} not null,
    at bigint not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index approvals_by_status on approvals (journal, status, id);
create index approvals_of_execution on approvals (journal, execution, id);

create table context (
    journal bigint not null,
    id text {c} not null,
    scope text not null,
    scope_id text {c} not null,
    key text {c} not null,
    type text not null,
    actor text not null,
    at bigint not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index context_by_scope on context (journal, scope, scope_id, id);

create table sessions (
    journal bigint not null,
    id text {c} not null,
    status text not null,
    name text {c} not null,
    at bigint not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
create index sessions_by_status on sessions (journal, status, id);
create index sessions_by_name on sessions (journal, name, id);

create table keys (
    journal bigint not null,
    id text {c} not null,
    doc text not null,
    primary key (journal, id)
) {clustered};
