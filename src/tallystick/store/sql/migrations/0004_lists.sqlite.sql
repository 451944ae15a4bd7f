-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('executions', 'executions_by_actor', '100000 100000 5000 1'),
    ('executions', 'executions_by_client', '100000 100000 20000 1'),
    ('executions', 'executions_owing', '1000 1000 1'),
    ('executions', 'executions_unsettled', '100 100 1'),
    ('executions', 'executions_asking', '100 100 1'),
    ('actions', 'actions_of_execution', '1000000 1000000 1000 1');
analyze sqlite_schema;
