-- As in the first schema: how the rows of a large store are spread, for the planner.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('executions', 'executions_owing', '1000 1000 1'),
    ('actions', 'actions_owed_of_steps', '1000 1000 20 1'),
    ('actions', 'actions_unsettled', '100 100 5 1'),
    ('actions', 'actions_unsettled_in_order', '100 100 1'),
    ('actions', 'actions_unsettled_of_execution', '100 100 5 1'),
    ('plans', 'plans_by_status', '10000 10000 3000 1'),
    ('approvals', 'approvals_pending', '100 100 2 1');
analyze sqlite_schema;

-- The words of the index in their order, to find those that begin with some letters.
create virtual table word_list using fts5vocab (words, 'instance');
