-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values ('actions', 'actions_of_session', '1000000 1000000 1000 1');
analyze sqlite_schema;
