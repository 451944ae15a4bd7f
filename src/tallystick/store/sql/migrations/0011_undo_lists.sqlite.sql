-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('actions', 'actions_not_undone', '1000 1000 20 1'),
    ('actions', 'actions_not_undone_of_steps', '1000 1000 20 1'),
    ('actions', 'actions_undone', '1000 1000 20 1'),
    ('actions', 'actions_kept', '100 100 5 1'),
    ('actions', 'actions_to_put_back', '100 100 5 1'),
    ('executions', 'executions_owing', '1000 1000 1');
analyze sqlite_schema;
