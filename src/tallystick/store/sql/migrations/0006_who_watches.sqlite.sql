-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('sessions', 'sessions_watching', '1000 1000 1'),
    ('sessions', 'sessions_watching_client', '1000 1000 200 1');
analyze sqlite_schema;
