/**
 * The responses of the server, as far as the page reads them. Empty fields are left out of a response.
 *
 * @typedef {{id: string, status: string, asked: string, execution_id?: string, title?: string, plan_id?: string,
 *   task_id?: string, actor?: string, step?: string, step_title?: string, cancellable?: string, undo?: any,
 *   question?: string, options?: string[], tool?: string, arguments?: any, digest?: string, unbound?: string, edited?: any, answer?: string, reason?: string,
 *   decided?: string, decided_by?: string, answered_in?: string, expires?: string, used_by?: string}} ApprovalView
 *
 * @typedef {{seq: number, id: string, at: string, kind: string, actor: string, witness: string, hash: string,
 *   actor_kind?: string, session?: string, execution_id?: string, facts?: Record<string, any>, body?: any,
 *   erased?: boolean, altered?: boolean, behind?: number}} EntryView
 *
 * @typedef {{key: string, scope: string, at: string, seq: number, value?: any, type?: string, scope_id?: string,
 *   actor?: string, metadata?: any, derived_from?: string[], expires?: string, expired?: boolean, versions?: number,
 *   erased?: boolean, altered?: boolean}} ContextView
 *
 * @typedef {{id: string, title: string, cancellable: string, tool?: string, arguments?: Record<string, unknown>,
 *   after?: string[], undo?: any, undo_until?: string, needs_approval?: boolean, failure_policy?: any, effect?: string,
 *   probe?: any, estimate?: number}} StepText
 *
 * @typedef {{id: string, revision: number, status: string, at: string, title?: string, goal?: string, type?: string,
 *   task_id?: string, reasoning?: string, reason?: string, actor?: string, seq?: number, step_count?: number,
 *   steps?: StepText[], warnings?: string[], retired_reason?: string, erased?: boolean, altered?: boolean}} PlanView
 *
 * @typedef {{rule: string, about: string, text: string, since: string, to_do: string, execution_id?: string,
 *   title?: string, who?: string, silenced?: string}} Alert
 *
 * @typedef {{name: string, host: string, state: string, delivering?: boolean, kinds?: string[], execution_id?: string,
 *   task_id?: string, tool?: string, actor?: string, needs_person?: boolean, behind?: number, waiting?: number,
 *   dead?: number, delivered?: number, last_success?: string, last_error?: string, last_error_at?: string,
 *   next_attempt?: string}} Webhook
 *
 * @typedef {{need: string, about: string, text: string, since: string, to_do: string, execution_id?: string,
 *   title?: string, who?: string, until?: string, count: number}} InboxItem
 */

export {};
