-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('actions', 'actions_unsettled_by_effect', '1000 1000 2 1'),
    ('executions', 'executions_open_of_plan', '1000 1000 2 1'),
    ('executions', 'executions_open_of_title', '1000 1000 2 1'),
    ('executions', 'executions_unsettled_of_plan', '100 100 2 1'),
    ('executions', 'executions_unsettled_of_title', '100 100 2 1');
analyze sqlite_schema;
