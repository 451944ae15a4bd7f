-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values ('executions', 'executions_open_of_engine', '1000 1000 200 1');
analyze sqlite_schema;
