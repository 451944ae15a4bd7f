-- A credential can end by itself, be for some tasks only, and be one of who sees calls and does not only claim them.
alter table credentials add column expires bigint not null default 0;
alter table credentials add column tasks text not null default '[]';
alter table credentials add column observes bigint not null default 0;

-- Whoever shows a secret at a door is known by it: the journal is not known before.
create index credentials_by_hash on credentials (hash);
