-- Not derived: what changes without an entry and outlives a process, such as a webhook's address and its position.
create table documents (
    journal bigint not null,
    kind text {c} not null,
    id text {c} not null,
    content text not null,
    primary key (journal, kind, id)
) {clustered};
