-- Who watches: few sessions do, and they are asked for however many others came after them.
alter table sessions add column client text not null default '';
alter table sessions add column witness text not null default 'claimed';
create index sessions_watching on sessions (journal, id) where witness in ('observed');
create index sessions_watching_client on sessions (journal, client, id) where witness in ('observed');
