-- The entry that made a credential: a row that says something else is not accepted, and `rebuild` folds it again.
alter table credentials add column seq bigint not null default 0;
