/**
 * Computes the state of one execution after an entry, from all entries up to it.
 *
 * Only the replay computes state: all other views load the current state from the server. A doubt shows here from the
 * entry that records it; that a session was over before that is not in the entries.
 */

import { undoState } from "./undo_state.js";

/**
 * @typedef {import("../types.js").EntryView} Entry
 * @typedef {{id: string, state: string, seq: number, at: string, endSeq: number, ended: string, kind: string,
 *   undoes: string[], kept: boolean, tool: string, step: string, effect: string, cancellable: string, attempt: number, summary: string,
 *   actor: string, witness: string, withoutEffect: boolean, whileUnwinding: boolean, undos: Map<string, string>}} Action
 * @typedef {{status: string, attempts: number, action: string, decided: string}} Progress
 * @typedef {(state: State, entry: Entry, facts: any, body: any) => void} Handler
 * @typedef {{seq: number, at: string, status: string, planId: string, revision: number,
 *   steps: Map<string, Progress>, actions: Map<string, Action>, approvals: Map<string, {seq: number, question: string,
 *   tool: string, status: string, blocks: boolean}>, decisions: {seq: number, at: string, decision: string, why: string, step: string,
 *   actor: string}[], context: Map<string, {seq: number, value: unknown}>}} State
 */

/** @type {Record<string, string>} */
const STEP_STATUS = {
  open: "running", ok: "done", failed: "failed", skipped: "skipped", unknown: "in_doubt", doubted: "in_doubt",
};
const ENDED = new Set(["completed", "failed", "cancelled", "closed"]);

/** @returns {State} the state before the first entry */
export function fresh() {
  return {
    seq: 0, at: "", status: "", planId: "", revision: 0,
    steps: new Map(), actions: new Map(), approvals: new Map(), decisions: [], context: new Map(),
  };
}

/**
 * Applies one entry to the state. Any entry is accepted in any order, because everything in the journal happened.
 * @param {State} state
 * @param {Entry} entry
 */
export function apply(state, entry) {
  state.seq = entry.seq;
  state.at = entry.at;
  HANDLERS[entry.kind]?.(state, entry, entry.facts ?? {}, entry.body ?? {});
}

/**
 * The undo list at a state, the newest first.
 * @param {State} state
 */
export function undoListAt(state) {
  return [...state.actions.values()]
    .map((action) => ({ action, word: undoState(action) }))
    .filter(({ word }) => word && word !== "undone" && word !== "kept")
    .sort((one, other) => Number(one.word === "may_be_undo") - Number(other.word === "may_be_undo") || other.action.seq - one.action.seq);
}

/**
 * The status of a step: undone if it was done and somebody undid its work. A planned step that puts it back does not.
 * @param {State} state
 * @param {string} id
 */
export function stepStatusAt(state, id) {
  const step = state.steps.get(id);
  const action = step?.status === "done" ? state.actions.get(step.action) : undefined;
  const undone = action && undoState(action) === "undone";
  const byHand = undone && [...action.undos].some(([undo, word]) => word === "ok" && state.actions.get(undo)?.kind === "undo");
  return byHand ? "undone" : step?.status || "planned";
}

/** @param {State} state @returns {Action[]} begun and not ended, or in doubt, the oldest first */
export function openAt(state) {
  const unsettled = new Set(["open", "doubted", "unknown"]);
  return [...state.actions.values()].filter((action) => unsettled.has(action.state));
}

/** Caches the state of the last shown entry: going forward is cheap, going back starts again from the first entry. */
export class Replay {
  /** @param {Entry[]} entries of one execution, in order */
  constructor(entries) {
    this.entries = entries;
    this.folded = 0;
    this.state = fresh();
  }

  /** @param {number} count how many entries have been written @returns {State} */
  at(count) {
    if (count < this.folded) {
      this.folded = 0;
      this.state = fresh();
    }
    for (; this.folded < count; this.folded += 1) apply(this.state, this.entries[this.folded]);
    return this.state;
  }

  /**
   * How many entries there are up to a sequence number.
   * @param {number} seq
   */
  countTo(seq) {
    const next = this.entries.findIndex((entry) => entry.seq > seq);
    return next < 0 ? this.entries.length : next;
  }
}

/** @type {Handler} */
function executionStarted(state, _entry, facts) {
  state.status = "running";
  state.planId = facts.plan_id ?? "";
  state.revision = facts.revision ?? 0;
}

/** @type {Handler} */
function executionEnded(state, _entry, facts) {
  state.status = facts.status;
}

/** @type {Handler} */
function actionBegun(state, entry, facts, body) {
  /** @type {Action} */
  const action = {
    id: entry.id, state: "open", seq: entry.seq, at: entry.at, endSeq: 0, ended: "",
    kind: facts.action_kind ?? "do", undoes: facts.undoes ? [facts.undoes, ...(facts.undoes_too ?? [])] : [], kept: false, tool: facts.tool ?? "", step: facts.step ?? "",
    effect: facts.effect ?? "unsafe", cancellable: facts.cancellable ?? "", attempt: facts.attempt ?? 1,
    summary: typeof body.summary === "string" ? body.summary : "", actor: entry.actor, witness: entry.witness,
    withoutEffect: false, whileUnwinding: Boolean(facts.while_unwinding), undos: new Map(),
  };
  state.actions.set(action.id, action);
  used(state, facts);
  moved(state, action, true);
}

/** @type {Handler} */
function actionEnded(state, entry, facts) {
  const action = state.actions.get(entry.id);
  if (!action) return;
  const word = facts.contradicts ? "doubted" : facts.outcome;
  const repeated = action.state === "failed" && word === "failed";
  action.withoutEffect = Boolean(facts.without_effect) || (repeated && action.withoutEffect);
  if (facts.contradicts) {
    action.kept = false;
    for (const [undo, undoState] of action.undos) if (["ok", "failed", "skipped"].includes(undoState)) action.undos.delete(undo);
  }
  const denied = action.state === "ok" && word !== "ok";
  const again = action.state === word && ["ok", "failed", "skipped"].includes(word);
  action.state = word;
  action.endSeq = entry.seq;
  if (!again) action.ended = entry.at;
  const notMade = word === "skipped" && (entry.witness === "observed" || Boolean(facts.settles));
  moved(state, action, false, denied, notMade);
}

/** @type {Handler} */
function actionDoubted(state, entry) {
  const action = state.actions.get(entry.id);
  if (!action) return;
  action.state = "doubted";
  moved(state, action, false);
}

/** @type {Handler} */
function actionNoted(state, entry, facts) {
  const action = facts.call ? state.actions.get(entry.id) : undefined;
  if (!action) return;
  if (entry.witness === "observed") action.witness = "observed";
  if (facts.effect) {
    action.effect = facts.effect;
    action.tool = facts.tool ?? "";
    if (facts.step) place(state, action, { step: facts.step });
  }
  used(state, facts);
}

/** @type {Handler} */
function decisionRecorded(state, entry, facts, body) {
  const text = typeof body.why === "string" ? body.why : "";
  state.decisions.push({
    seq: entry.seq, at: entry.at, decision: facts.decision, why: text, step: facts.step ?? "", actor: facts.credential || entry.actor,
  });
  if (facts.decision === "keep") {
    for (const id of facts.kept ?? []) keep(state, id);
    return;
  }
  if (facts.action_id) {
    const action = state.actions.get(facts.action_id);
    if (action) place(state, action, facts);
    used(state, { approval_id: facts.used });
    return;
  }
  const step = facts.step ? progressOf(state, facts.step) : undefined;
  if (step && facts.decision === "skip") step.status = "skipped";
  if (step) step.decided = facts.decision;
  const asked = state.approvals.get(facts.approval_id);
  if (asked) asked.blocks = true;
  if (facts.decision === "replan" && facts.revision) state.revision = facts.revision;
  if (!ENDED.has(state.status)) state.status = facts.status;
}

/**
 * Gives an action that was recorded without a step its step, or the actions that it undid.
 * @param {State} state
 * @param {Action} action
 * @param {{step?: string, undoes?: string, undoes_too?: string[], cancellable?: string}} facts
 */
function place(state, action, facts) {
  if (action.step || action.undoes.length || action.kind === "undo") return;
  action.whileUnwinding = false;
  action.step = facts.step ?? "";
  action.cancellable ||= facts.cancellable ?? "";
  action.undoes = facts.undoes ? [facts.undoes, ...(facts.undoes_too ?? [])] : [];
  if (facts.undoes && !facts.step) action.kind = "undo";
  action.attempt = facts.step ? (state.steps.get(facts.step)?.attempts ?? 0) + 1 : 1;
  moved(state, action, true);
}

/** @param {State} state @param {string} id */
function keep(state, id) {
  const action = state.actions.get(id);
  if (action) action.kept = true;
}

/** @type {Handler} */
function approvalRequested(state, entry, facts, body) {
  const question = typeof body.question === "string" ? body.question : "";
  state.approvals.set(entry.id, { seq: entry.seq, question, tool: facts.tool ?? "", status: "pending", blocks: false });
}

/** @type {Handler} */
function approvalDecided(state, entry, facts) {
  const approval = state.approvals.get(entry.id);
  if (!approval) return;
  approval.status = facts.verdict;
  const waits = [...state.approvals.values()].some((each) => each.blocks && each.status === "pending");
  if (state.status === "blocked" && !waits) state.status = "running";
}

/** @type {Handler} */
function contextRecorded(state, entry, facts, body) {
  state.context.set(facts.key, { seq: entry.seq, value: body.null ? null : body.value });
}

/** @param {State} state @param {{approval_id?: string}} facts */
function used(state, facts) {
  const approval = facts.approval_id ? state.approvals.get(facts.approval_id) : undefined;
  if (approval && ["approve", "edit"].includes(approval.status)) approval.status = "used";
}

/** @param {State} state @param {string} step @returns {Progress} */
function progressOf(state, step) {
  const known = state.steps.get(step) ?? { status: "planned", attempts: 0, action: "", decided: "" };
  state.steps.set(step, known);
  return known;
}

/**
 * Updates the step of an action, and the action that it undoes, after it began or changed its state.
 * @param {State} state
 * @param {Action} action
 * @param {boolean} begins
 * @param {boolean} [denied] its success was contradicted
 * @param {boolean} [notMade] it was not made, or did not happen: its step is to be done
 */
function moved(state, action, begins, denied = false, notMade = false) {
  for (const id of action.undoes) {
    const undone = state.actions.get(id);
    if (undone && (begins || denied)) undone.kept = false;
    undone?.undos.set(action.id, action.state);
  }
  if (action.kind !== "do" || !action.step) return;
  const step = progressOf(state, action.step);
  const status = notMade ? "planned" : STEP_STATUS[action.state];
  if (!begins && keepsStatus(step, action, status)) return;
  Object.assign(step, { status, action: action.id, attempts: step.attempts + (begins ? 1 : 0), decided: "" });
}

/**
 * Whether a step keeps its status: because of a later attempt, unless this one succeeded after all, or because of a skip.
 * @param {Progress} step
 * @param {Action} action
 * @param {string} status
 */
function keepsStatus(step, action, status) {
  if (step.action && step.action !== action.id) return status !== "done";
  return step.decided === "skip" && (status === "in_doubt" || status === "planned");
}

/** @type {Record<string, Handler>} */
const HANDLERS = {
  execution_started: executionStarted,
  execution_ended: executionEnded,
  action_begun: actionBegun,
  action_ended: actionEnded,
  action_doubted: actionDoubted,
  action_noted: actionNoted,
  decision_recorded: decisionRecorded,
  approval_requested: approvalRequested,
  approval_decided: approvalDecided,
  context_recorded: contextRecorded,
};
