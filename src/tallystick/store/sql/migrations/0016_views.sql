-- Views for people and programs that read a journal with SQL (docs/sql.md). Their names and columns are stable. They show
-- what is recorded, and do not know which sessions live. Text that was not given is empty or null; times are in UTC.
--
-- A text is fetched by a sub-select in the list of columns: it costs nothing when the column is not asked for, and goes
-- through the key of the bodies also under row-level security.

create view recorded_executions as
select j.name as journal,
    x.id,
    coalesce(
        (select nullif(b.body{json} ->> 'title', '') from bodies b
            where b.place = (x.journal << 40) + cast(x.doc{json} ->> 'seq' as bigint)),
        (select (select b.body{json} ->> 'title' from bodies b
                where b.place = (r.journal << 40) + cast(r.doc{json} ->> 'seq' as bigint))
            from revisions r
            where r.journal = x.journal and r.id = x.plan_id || '@' || (x.doc{json} ->> 'revision'))) as title,
    x.status,
    x.plan_id,
    coalesce(cast(x.doc{json} ->> 'revision' as bigint), 0) as revision,
    x.task_id,
    x.actor,
    x.client,
    x.session,
    {time(}x.at{time)} as started,
    {time(}cast(x.doc{json} ->> 'last_at' as bigint){time)} as last,
    {time(}cast(x.doc{json} ->> 'ended_at' as bigint){time)} as ended,
    coalesce(x.doc{json} ->> 'step', '') as step,
    coalesce(cast(x.doc{json} ->> 'total_steps' as bigint), 0) as total_steps,
    coalesce(cast(x.doc{json} -> 'steps' ->> 'done' as bigint), 0) as done_steps,
    coalesce(cast(x.doc{json} -> 'steps' ->> 'skipped' as bigint), 0) as skipped_steps,
    coalesce(cast(x.doc{json} ->> 'undone_steps' as bigint), 0) as undone_steps,
    coalesce(cast(x.doc{json} -> 'actions' ->> 'failed' as bigint), 0) as failed,
    coalesce(cast(x.doc{json} -> 'actions' ->> 'doubted' as bigint), 0)
        + coalesce(cast(x.doc{json} -> 'actions' ->> 'unknown' as bigint), 0)
        + coalesce(cast(x.doc{json} -> 'undos' ->> 'doubted' as bigint), 0)
        + coalesce(cast(x.doc{json} -> 'undos' ->> 'unknown' as bigint), 0) as in_doubt,
    case when x.status in ('unwinding', 'failed', 'cancelled')
            or coalesce(cast(x.doc{json} ->> 'unwound' as text), '') in ('true', '1')
        then coalesce(cast(x.doc{json} -> 'undo_states' ->> 'not_undone' as bigint), 0)
        when x.status in ('completed', 'closed')
        then coalesce(cast(x.doc{json} -> 'temporary_states' ->> 'not_undone' as bigint), 0)
        else 0 end
        + case when x.status in ('unwinding', 'failed', 'cancelled', 'completed', 'closed')
            or coalesce(cast(x.doc{json} ->> 'unwound' as text), '') in ('true', '1')
        then coalesce(cast(x.doc{json} -> 'undo_states' ->> 'undoing' as bigint), 0)
            + coalesce(cast(x.doc{json} -> 'undo_states' ->> 'in_doubt' as bigint), 0)
            + coalesce(cast(x.doc{json} -> 'undo_states' ->> 'failed' as bigint), 0)
        else 0 end as owed,
    coalesce(cast(x.doc{json} ->> 'pending' as bigint), 0) as questions,
    coalesce(cast(x.doc{json} ->> 'unplanned' as bigint), 0) as unplanned,
    coalesce(cast(x.doc{json} ->> 'late' as bigint), 0) as late,
    x.engine
from executions x join journals j on j.number = x.journal;

-- The steps of the plan in their order, then those that were begun and that the plan does not have.
create view recorded_steps as
select s.journal,
    s.execution_id,
    s.id,
    s.position,
    coalesce(s.title, '') as title,
    coalesce(s.tool, '') as tool,
    coalesce(s.cancellable, '') as cancellable,
    case when coalesce(cast(s.progress{json} ->> 'undone' as text), '') in ('true', '1') then 'undone'
        else coalesce(s.progress{json} ->> 'status', 'planned') end as status,
    coalesce(cast(s.progress{json} ->> 'attempts' as bigint), 0) as attempts,
    coalesce(s.progress{json} ->> 'action', '') as action_id,
    coalesce(s.progress{json} ->> 'decided', '') as decided,
    s.dropped
from (
    select j.name as journal, x.id as execution_id, planned.value ->> 'id' as id, planned.key + 1 as position,
        planned.value ->> 'title' as title, planned.value ->> 'tool' as tool,
        planned.value ->> 'cancellable' as cancellable,
        (select p.doc from steps p
            where p.journal = x.journal and p.id = x.id || '/' || (planned.value ->> 'id')) as progress,
        {false} as dropped
    from executions x
    join journals j on j.number = x.journal
    join revisions r on r.journal = x.journal and r.plan_id = x.plan_id
        and r.id = x.plan_id || '@' || (x.doc{json} ->> 'revision')
    {join_steps(}(select b.body from bodies b
        where b.place = (r.journal << 40) + cast(r.doc{json} ->> 'seq' as bigint)), r.doc{join_steps)} planned
    union all
    select j.name, p.execution, p.doc{json} ->> 'step', null, null,
        (select a.tool from actions a where a.journal = p.journal and a.id = (p.doc{json} ->> 'action')),
        null, p.doc,
        coalesce(cast(p.doc{json} ->> 'dropped' as text), '') in ('true', '1')
    from steps p
    join journals j on j.number = p.journal
    join executions x on x.journal = p.journal and x.id = p.execution
    where coalesce(cast(p.doc{json} ->> 'dropped' as text), '') in ('true', '1') or x.plan_id = ''
) as s;

create view recorded_actions as
select j.name as journal,
    a.id,
    a.execution as execution_id,
    a.step,
    coalesce(a.doc{json} ->> 'action_kind', 'do') as kind,
    case when a.state in ('doubted', 'unknown') then 'in_doubt' else a.state end as state,
    a.tool,
    coalesce(
        (select nullif(b.body{json} ->> 'summary', '') from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)),
        (select b.body{json} ->> 'summary' from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'end_seq' as bigint))) as summary,
    (select b.body{json} -> 'arguments' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)) as arguments,
    (select b.body{json} -> 'result' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'end_seq' as bigint)) as result,
    (select b.body{json} ->> 'error' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'end_seq' as bigint)) as error,
    {time(}a.at{time)} as begun,
    {time(}cast(a.doc{json} ->> 'ended_at' as bigint){time)} as ended,
    cast(a.doc{json} ->> 'duration' as double precision) as seconds,
    a.actor,
    coalesce(a.doc{json} ->> 'actor_kind', 'agent') as actor_kind,
    coalesce(a.doc{json} ->> 'witness', 'claimed') as witness,
    a.session,
    coalesce(cast(a.doc{json} ->> 'attempt' as bigint), 1) as attempt,
    coalesce(a.doc{json} ->> 'effect', 'unsafe') as effect,
    coalesce(a.doc{json} ->> 'cancellable', '') as cancellable,
    case when a.undo_state = 'not_undone'
            and coalesce(cast(a.doc{json} ->> 'while_unwinding' as text), '') in ('true', '1')
        then 'may_be_undo' else a.undo_state end as undo_state,
    a.undoes,
    coalesce(a.doc{json} ->> 'undone_by', '') as undone_by,
    coalesce(cast(a.doc{json} ->> 'temporary' as text), '') in ('true', '1') as temporary,
    coalesce(a.doc{json} ->> 'repeats', '') as repeats
from actions a join journals j on j.number = a.journal;

-- The lists of states are those of the indexes, in the same order, so that these are used.
create view recorded_owed as
select j.name as journal,
    a.id as action_id,
    a.execution as execution_id,
    a.step,
    a.tool,
    coalesce(
        (select nullif(b.body{json} ->> 'summary', '') from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)),
        (select b.body{json} ->> 'summary' from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'end_seq' as bigint))) as summary,
    case when a.undo_state = 'not_undone'
            and coalesce(cast(a.doc{json} ->> 'while_unwinding' as text), '') in ('true', '1')
        then 'may_be_undo' else a.undo_state end as state,
    a.state = 'ok' as certain,
    coalesce(
        (select b.body{json} -> 'undo' from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)),
        (select case when substr(cast(planned.value -> 'undo' as text), 1, 1) = '"'
                then {object(}'words', planned.value ->> 'undo') else planned.value -> 'undo' end from revisions r
            {join_steps(}(select b.body from bodies b
                where b.place = (r.journal << 40) + cast(r.doc{json} ->> 'seq' as bigint)), r.doc{join_steps)} planned
            where r.journal = a.journal and (planned.value ->> 'id') = a.step
                and r.id = (a.doc{json} ->> 'plan_id') || '@' || (a.doc{json} ->> 'revision'))) as undo,
    {time(}nullif(cast(a.doc{json} ->> 'deadline' as bigint), 0){time)} as deadline,
    coalesce(a.doc{json} ->> 'undone_by', '') as undone_by,
    a.to_put_back = 'yes' as to_put_back,
    {time(}a.at{time)} as begun,
    a.actor,
    x.status as execution_status
from executions x
join journals j on j.number = x.journal
join actions a on a.journal = x.journal and a.execution = x.id
    and a.undo_state in ('not_undone', 'undoing', 'in_doubt', 'failed', 'not_possible', 'partly')
where x.owing in ('yes', 'rest', 'maybe')
    and (x.status in ('unwinding', 'failed', 'cancelled')
        or coalesce(cast(x.doc{json} ->> 'unwound' as text), '') in ('true', '1')
        or (x.status in ('completed', 'closed') and a.to_put_back = 'yes'));

create view recorded_in_doubt as
select j.name as journal,
    a.id as action_id,
    a.execution as execution_id,
    a.step,
    a.tool,
    coalesce(a.doc{json} ->> 'action_kind', 'do') as kind,
    coalesce(
        (select nullif(b.body{json} ->> 'summary', '') from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)),
        (select b.body{json} ->> 'summary' from bodies b
            where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'end_seq' as bigint))) as summary,
    (select b.body{json} -> 'arguments' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)) as arguments,
    {time(}a.at{time)} as since,
    case when a.state = 'unknown' then 'its outcome is unknown'
        when cast(a.doc{json} ->> 'end_seq' as bigint) > 0
        then 'what was recorded of its outcome contradicts itself'
        else 'its session is over and no end is recorded' end as why,
    a.actor,
    a.session
from actions a join journals j on j.number = a.journal
where a.state in ('open', 'doubted', 'unknown') and a.state <> 'open';

-- Of one execution by the index of its entries; of all executions by reading all entries.
create view recorded_decisions as
select j.name as journal,
    e.line{json} ->> 'id' as id,
    t.execution as execution_id,
    coalesce(e.line{json} -> 'facts' ->> 'step', '') as step,
    e.line{json} -> 'facts' ->> 'decision' as decision,
    e.line{json} -> 'facts' ->> 'status' as status,
    (select b.body{json} ->> 'why' from bodies b where b.place = e.place) as why,
    (select b.body{json} -> 'alternatives' from bodies b where b.place = e.place) as alternatives,
    coalesce(e.line{json} -> 'facts' ->> 'action_id', '') as action_id,
    coalesce(e.line{json} -> 'facts' ->> 'approval_id', '') as approval_id,
    {time(}cast(e.line{json} ->> 'at' as bigint){time)} as at,
    coalesce(e.line{json} -> 'actor' ->> 'name', '') as actor,
    coalesce(e.line{json} -> 'actor' ->> 'kind', 'agent') as actor_kind,
    coalesce(e.line{json} -> 'facts' ->> 'credential', '') as credential,
    coalesce(e.line{json} ->> 'session', '') as session,
    e.place - (e.journal << 40) as seq,
    e.place
from trails t
join entries e on e.place = t.place
join journals j on j.number = t.journal
where e.line like '%"kind":"decision_recorded"%' and t.execution <> 'clock'
    and (e.line{json} ->> 'kind') = 'decision_recorded';

create view recorded_approvals as
select j.name as journal,
    a.id,
    a.execution as execution_id,
    coalesce(nullif(a.doc{json} ->> 'step', ''), a.doc{json} ->> 'about', '') as step,
    a.status,
    (select b.body{json} ->> 'question' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)) as question,
    (select b.body{json} -> 'options' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)) as options,
    coalesce(a.doc{json} ->> 'tool', '') as tool,
    (select b.body{json} -> 'arguments' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint)) as arguments,
    {time(}a.at{time)} as asked,
    {time(}nullif(cast(a.doc{json} ->> 'expires' as bigint), 0){time)} as expires,
    {time(}nullif(cast(a.doc{json} ->> 'decided_at' as bigint), 0){time)} as decided,
    coalesce(a.doc{json} ->> 'credential', '') as decided_by,
    coalesce(a.doc{json} ->> 'client', '') as answered_in,
    (select b.body{json} ->> 'answer' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'decided_seq' as bigint)) as answer,
    (select b.body{json} ->> 'reason' from bodies b
        where b.place = (a.journal << 40) + cast(a.doc{json} ->> 'decided_seq' as bigint)) as reason,
    coalesce(a.doc{json} ->> 'used_by', '') as used_by
from approvals a join journals j on j.number = a.journal;

create view recorded_context as
select j.name as journal,
    c.doc{json} ->> 'handle' as id,
    c.scope,
    c.scope_id,
    case when c.scope <> 'project' and substr(c.key, 1, 3) = 'k1:'
        then (select b.body{json} ->> 'key' from bodies b
            where b.place = (c.journal << 40) + cast(c.doc{json} ->> 'seq' as bigint))
        else c.key end as key,
    c.type,
    (select case when coalesce(cast(b.body{json} ->> 'null' as text), '') in ('true', '1') then null
            else b.body{json} -> 'value' end from bodies b
        where b.place = (c.journal << 40) + cast(c.doc{json} ->> 'seq' as bigint)) as value,
    (select b.body{json} -> 'metadata' from bodies b
        where b.place = (c.journal << 40) + cast(c.doc{json} ->> 'seq' as bigint)) as metadata,
    {time(}c.at{time)} as at,
    {time(}nullif(cast(c.doc{json} ->> 'expires' as bigint), 0){time)} as expires,
    c.actor,
    coalesce(cast(c.doc{json} ->> 'versions' as bigint), 1) as versions
from context c join journals j on j.number = c.journal;

-- In the order of `place`, which is a key: over all journals, and in the order of `seq` in each.
create view recorded_entries as
select j.name as journal,
    e.place - (e.journal << 40) as seq,
    e.line{json} ->> 'id' as id,
    {time(}cast(e.line{json} ->> 'at' as bigint){time)} as at,
    e.line{json} ->> 'kind' as kind,
    coalesce(e.line{json} -> 'actor' ->> 'name', '') as actor,
    coalesce(e.line{json} -> 'actor' ->> 'kind', 'agent') as actor_kind,
    coalesce(e.line{json} ->> 'witness', 'claimed') as witness,
    coalesce(e.line{json} ->> 'session', '') as session,
    coalesce(e.line{json} ->> 'execution', '') as execution_id,
    e.line{json} -> 'facts' as facts,
    (select b.body from bodies b where b.place = e.place){json} as body,
    (e.line{json} ->> 'commitment') is not null
        and not exists (select 1 from bodies b where b.place = e.place) as erased,
    e.hash,
    e.place
from entries e join journals j on j.number = e.journal
    and e.place > (j.number << 40) and e.place < ((j.number + 1) << 40);

-- The tables of an earlier design: plans with the state of their newest execution, what was done on them, and context.
create view agent_execution_plans as
select p.id,
    p.task_id,
    p.type as plan_type,
    (select coalesce(min(s.position), json_array_length(p.revision{json} -> 'steps') + 1) from (
            select planned.key + 1 as position, (select t.doc from steps t
                where t.journal = p.number and t.id = p.execution_id || '/' || (planned.value ->> 'id')) as progress
            from (select 1 as one) as once
            {join_steps(}p.body, p.revision{join_steps)} planned) as s
        where coalesce(cast(s.progress{json} ->> 'undone' as text), '') not in ('true', '1')
            and coalesce(s.progress{json} ->> 'status', '') not in ('done', 'skipped')) as current_step,
    json_array_length(p.revision{json} -> 'steps') as total_steps,
    case when p.plan_status = 'cancelled' or (p.plan_status = 'archived' and p.execution_id is null)
        then p.plan_status
        when p.execution_id is null then 'pending'
        when p.execution_status in ('running', 'unwinding') then 'in_progress'
        when p.execution_status = 'paused' then 'blocked'
        when p.execution_status = 'closed' then 'completed'
        else p.execution_status end as status,
    (select {object(}'steps', {array(}{object(}
            'step', case when length(s.id) between 1 and 9 and {is_number(}s.id{is_number)}
                then {to_json(}cast(s.id as bigint){to_json)} else {to_json(}s.id{to_json)} end,
            'action', case when s.split > 0 then substr(s.title, 1, s.split - 1) else s.title end,
            'description', case when s.split > 0 then substr(s.title, s.split + 2) end,
            'estimated_duration', s.estimate / 60,
            'status', case when coalesce(cast(s.progress{json} ->> 'undone' as text), '') in ('true', '1')
                then 'undone' else coalesce(s.progress{json} ->> 'status', 'planned') end)))
        from (
            select planned.value ->> 'id' as id, planned.value ->> 'title' as title,
                {position(}planned.value ->> 'title', ': ') as split,
                cast(planned.value ->> 'estimate' as double precision) as estimate,
                (select t.doc from steps t where t.journal = p.number
                    and t.id = p.execution_id || '/' || (planned.value ->> 'id')) as progress
            from (select 1 as one) as once
            {join_steps(}p.body, p.revision{join_steps)} planned) as s) as plan_json,
    (select s.reason from (
            select p.place as place, p.body{json} ->> 'reasoning' as reason
            union all
            select p.retired_place, b.body{json} ->> 'reason' from bodies b
            where b.place = p.retired_place and p.execution_id is null
            union all
            select e.place, (select coalesce(b.body{json} ->> 'why', b.body{json} ->> 'summary')
                from bodies b where b.place = e.place)
            from trails t join entries e on e.place = t.place
            where t.journal = p.number and t.execution = p.execution_id
                and ((e.line{json} ->> 'kind') = 'decision_recorded' or ((e.line{json} ->> 'kind') = 'action_noted'
                    and (e.line{json} -> 'facts' ->> 'tool') = 'update_plan'))) as s
        where coalesce(s.reason, '') not in ('', 'No reason was given.') order by s.place desc limit 1) as agent_reasoning,
    p.body{json} ->> 'title' as title,
    p.execution_id,
    p.at as created_at,
    p.journal
from (
    select p.journal as number, p.id, p.task_id, p.type, p.status as plan_status, j.name as journal,
        x.id as execution_id, x.status as execution_status, {time(}p.at{time)} as at,
        (p.journal << 40) + cast(p.doc{json} ->> 'seq' as bigint) as place,
        (p.journal << 40) + cast(p.doc{json} ->> 'retired_seq' as bigint) as retired_place,
        (select b.body from bodies b
            where b.place = (p.journal << 40) + cast(p.doc{json} ->> 'seq' as bigint)) as body,
        (select r.doc from revisions r where r.journal = p.journal and r.plan_id = p.id
            and r.id = p.id || '@' || (p.doc{json} ->> 'revision')) as revision
    from plans p
    join journals j on j.number = p.journal
    left join executions x on x.journal = p.journal and x.plan_id = p.id and not exists (
        select 1 from executions y where y.journal = x.journal and y.plan_id = x.plan_id and y.id > x.id)
) as p;

create view agent_execution_logs as
select l.id,
    l.plan_id,
    case when length(l.step) between 1 and 9 and {is_number(}l.step{is_number)} then cast(l.step as bigint) end
        as step_number,
    case
        when l.kind = 'action_ended' and l.is_undo and l.outcome = 'ok' then 'rolled_back'
        when l.kind = 'action_ended' and l.is_undo and l.outcome = 'failed' then 'rollback_failed'
        when l.kind = 'action_ended' and not l.is_undo and l.step <> '' and l.outcome = 'ok' then 'complete_step'
        when l.kind = 'action_ended' and not l.is_undo and l.step <> '' and l.outcome = 'failed' then 'fail_step'
        when l.kind = 'action_ended' and not l.is_undo and l.step <> '' and l.outcome = 'skipped' then 'skip_step'
        when l.kind = 'action_ended' and not l.is_undo and l.step <> '' and l.outcome = 'unknown' then 'unknown_step'
        when l.kind = 'action_begun' and l.is_undo then 'start_rollback'
        when l.kind = 'action_begun' and l.step <> '' then 'start_step'
        else coalesce(nullif(l.tool, ''), l.facts ->> 'decision', 'note') end as action_type,
    coalesce(l.facts ->> 'entity_id', l.begin_line{json} -> 'facts' ->> 'entity_id') as entity_id,
    coalesce(nullif(l.body{json} ->> 'summary', ''), nullif(l.begin_body{json} ->> 'summary', ''),
        l.body{json} ->> 'why') as description,
    coalesce(l.body{json} -> 'before', l.begin_body{json} -> 'before') as before_state,
    coalesce(l.body{json} -> 'after', l.body{json} -> 'result') as after_state,
    cast(coalesce(l.facts ->> 'confidence', l.begin_line{json} -> 'facts' ->> 'confidence') as double precision)
        as agent_confidence,
    coalesce(l.facts ->> 'entity_type', l.begin_line{json} -> 'facts' ->> 'entity_type') as entity_type,
    l.body{json} ->> 'error' as error_message,
    nullif(l.step, '') as step_id,
    l.execution_id,
    l.actor,
    l.at as created_at,
    l.journal
from (
    select case when e.kind = 'action_ended' and e.begin_place = e.place - 1 then e.seq - 1 else e.seq end as id, x.plan_id, x.id as execution_id, e.kind, e.facts, e.body, e.actor, e.at, e.journal,
        e.begin_line, e.facts ->> 'outcome' as outcome,
        coalesce(e.facts ->> 'step', e.action{json} ->> 'step', '') as step,
        coalesce(e.facts ->> 'tool', e.action{json} ->> 'tool', '') as tool,
        coalesce(e.action{json} ->> 'action_kind', 'do') = 'undo' as is_undo,
        case when e.kind = 'action_ended' then (select b.body from bodies b
            where b.place = e.begin_place) end as begin_body
    from (
        select t.journal as number, t.execution, e.place, e.place - (e.journal << 40) as seq, e.line{json} ->> 'kind' as kind,
            e.line{json} -> 'facts' as facts, coalesce(e.line{json} -> 'actor' ->> 'name', '') as actor,
            {time(}cast(e.line{json} ->> 'at' as bigint){time)} as at, j.name as journal,
            e.line{json} ->> 'id' as entry_id,
            (select n.line from entries n where n.place = e.place + 1) as next_line,
            (select b.body from bodies b where b.place = e.place) as body,
            (select a.doc from actions a where a.journal = e.journal and a.id = (e.line{json} ->> 'id')) as action,
            (select (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint) from actions a
                where a.journal = e.journal and a.id = (e.line{json} ->> 'id')) as begin_place,
            (select (select o.line from entries o
                    where o.place = (a.journal << 40) + cast(a.doc{json} ->> 'seq' as bigint))
                from actions a where a.journal = e.journal and a.id = (e.line{json} ->> 'id')) as begin_line
        from trails t
        join entries e on e.place = t.place
        join journals j on j.number = t.journal
        where t.execution <> 'clock'
            and (e.line{json} ->> 'kind') in ('action_begun', 'action_ended', 'action_noted', 'decision_recorded')
    ) as e
    join executions x on x.journal = e.number and x.id = e.execution
    where e.kind <> 'action_begun' or coalesce(e.next_line{json} ->> 'kind', '') <> 'action_ended'
        or (e.next_line{json} ->> 'id') <> e.entry_id
) as l;

create view agent_context_memory as
select c.doc{json} ->> 'handle' as id,
    case c.scope when 'task' then c.scope_id
        when 'execution' then (select x.task_id from executions x where x.journal = c.journal and x.id = c.scope_id)
        else '' end as task_id,
    coalesce(
        case when substr(c.derived_from, 1, 3) = 'pl_' then c.derived_from end,
        case c.scope when 'execution' then (select x.plan_id from executions x
            where x.journal = c.journal and x.id = c.scope_id) end,
        '') as plan_id,
    c.type as context_type,
    case when c.type <> '' and substr(c.own_key, 1, length(c.type) + 1) = c.type || '.'
        then substr(c.own_key, length(c.type) + 2) else c.own_key end as context_key,
    case when coalesce(cast(c.body{json} ->> 'null' as text), '') in ('true', '1') then null
        else c.body{json} -> 'value' end as context_value,
    c.body{json} -> 'metadata' as metadata,
    {time(}c.at{time)} as updated_at,
    j.name as journal
from (
    select c.journal, c.doc, c.scope, c.scope_id, c.type, c.at,
        (select b.body from bodies b
            where b.place = (c.journal << 40) + cast(c.doc{json} ->> 'seq' as bigint)) as body,
        (select e.line{json} -> 'facts' -> 'derived_from' ->> 0 from entries e
            where e.place = (c.journal << 40) + cast(c.doc{json} ->> 'seq' as bigint)) as derived_from,
        case when c.scope <> 'project' and substr(c.key, 1, 3) = 'k1:'
            then (select b.body{json} ->> 'key' from bodies b
                where b.place = (c.journal << 40) + cast(c.doc{json} ->> 'seq' as bigint))
            else c.key end as own_key
    from context c
) as c
join journals j on j.number = c.journal;
