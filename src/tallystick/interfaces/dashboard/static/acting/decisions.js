/** The ways to act on an action, an item of an undo list, and an execution. */

import { post } from "../api.js";
import { quoted } from "../commands.js";

/** @typedef {import("./acts.js").Act} Act */
/** @typedef {import("./acts.js").Field} Field */

const decide = (/** @type {Record<string, unknown>} */ body, /** @type {string} */ key) => post("/v1/decisions", body, { key });
const record = (/** @type {Record<string, unknown>} */ body, /** @type {string} */ key) => post("/v1/actions", body, { key });

/** @param {string} label @param {string} missing @returns {Field} */
const evidence = (label, missing) => ({ name: "evidence", label, hint: "recorded in the journal as yours", missing });

/** @param {string} missing @returns {Field} */
const why = (missing) => ({ name: "why", label: "Reason", hint: "recorded in the journal, and shown to the agent", missing });

const LOOKED = "Say how you know: look at the real system first.";

/**
 * What to say about an action in doubt.
 * @param {string} action its id
 * @returns {Act[]}
 */
export function settleActs(action) {
  const about = { decision: "settle", action_id: action };
  const command = (/** @type {string} */ outcome) => `record decision settle --action-id ${quoted(action)} --outcome ${outcome} --evidence 'how you know'`;
  const shared = /** @type {const} */ ({ needs: "approve", send: decide });
  return [
    { ...shared, id: "happened", label: "It happened", icon: "check", title: "It happened", submit: "Record that it happened", command: command("ok"),
      fields: [{ name: "outcome", label: "What came of it", choices: [["ok", "It succeeded"], ["failed", "It failed"], ["without_effect", "It failed and changed nothing"]] }, evidence("How you know", LOOKED)],
      request: ({ outcome, evidence }) => ({ ...about, evidence, ...(outcome === "without_effect" ? { outcome: "failed", without_effect: true } : { outcome }) }) },
    { ...shared, id: "not", label: "It did not", icon: "close", title: "It did not happen", submit: "Record that it did not happen", command: command("skipped"),
      note: "The agent may then do it again.", fields: [evidence("How you know", LOOKED)], request: ({ evidence }) => ({ ...about, outcome: "skipped", evidence }) },
    { ...shared, id: "unknown", label: "I cannot tell yet", icon: "in_doubt", title: "You cannot tell yet", submit: "Record what you looked at", command: command("unknown"),
      note: "It stays in doubt, and nobody repeats it. The next person reads what you looked at.", fields: [evidence("What you looked at", "Say what you looked at.")],
      request: ({ evidence }) => ({ ...about, outcome: "unknown", evidence }) },
  ];
}

/**
 * What to say about something that is owed.
 * @param {string} action the id of the action to undo
 * @returns {Act[]}
 */
export function owedActs(action) {
  return [
    { id: "undid", label: "I undid it", icon: "unwinding", title: "You undid it", submit: "Record that it is undone", needs: "approve", send: record,
      note: "Tallystick undoes nothing: say so only when it is done.", fields: [{ name: "summary", label: "What you did, and how you checked it", missing: "Say what you did." }],
      request: ({ summary }) => ({ phase: "done", kind: "undo", undoes: action, outcome: "ok", summary }),
      command: `record action done --kind undo --undoes ${quoted(action)} --outcome ok --summary 'what you did'` },
    { id: "keep", label: "Keep it", icon: "save", title: "Keep it as it is", submit: "Take it off the list", needs: "approve", send: decide,
      note: "It is then not owed any more. Nothing is undone.", fields: [why("Say why it is kept.")], request: ({ why }) => ({ decision: "keep", action_id: action, why }),
      command: `record decision keep --action-id ${quoted(action)} --why 'the reason'` },
  ];
}

const ENDS = /** @type {[string, string][]} */ ([["stop", "Stopped"], ["fail", "Failed"], ["done", "Done"]]);

/** @param {string} execution @param {string} decision @param {Partial<Act> & {label: string, icon: string, title: string, submit: string}} act @returns {Act} */
const move = (execution, decision, act) => ({
  id: decision, needs: "approve", send: decide, fields: [why(`Say why you decide to ${decision}.`)],
  request: (fields) => ({ decision, execution_id: execution, why: fields.why }),
  command: `record decision ${decision} --execution-id ${quoted(execution)} --why 'the reason'`, ...act,
});

/** End an execution: what it did and is not undone is then owed, unless it was done. @param {string} execution @returns {Act} */
const endAct = (execution) =>
  move(execution, "stop", {
    id: "end", label: "End it", icon: "cancelled", danger: true, title: "End this execution", submit: "End it for good",
    note: "It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",
    fields: [{ name: "decision", label: "How it ended", choices: ENDS }, why("Say why you end it.")],
    request: ({ decision, why }) => ({ decision, execution_id: execution, why, ...(decision === "done" ? { incomplete: true } : {}) }),
  });

const MOVES = /** @type {Record<string, string[]>} */ ({
  running: ["pause", "unwind"], blocked: ["pause", "unwind"], paused: ["resume", "unwind"], unwinding: ["pause"],
});

/**
 * What can be decided about an execution that has not ended.
 * @param {{id: string, status: string}} execution
 * @returns {Act[]}
 */
export function executionActs({ id, status }) {
  const all = /** @type {Record<string, Act>} */ ({
    pause: move(id, "pause", { label: "Pause", icon: "paused", title: "Pause this execution", submit: "Pause it", note: "No new action may begin. What is under way may end." }),
    resume: move(id, "resume", { label: "Resume", icon: "running", title: "Resume this execution", submit: "Resume it" }),
    unwind: move(id, "unwind", { label: "Unwind", icon: "unwinding", danger: true, needs: "agent", title: "Unwind this execution", submit: "Unwind it",
      note: "What was done becomes owed, the newest first. No planned step begins any more." }),
  });
  const moves = MOVES[status];
  return moves ? [...moves.map((name) => all[name]), endAct(id)] : [];
}

const RETRYABLE = ["running", "blocked"];

/** Whether another attempt can be permitted: not in an execution that is paused, is unwound or has ended. @param {string} status */
export const mayRetry = (status) => RETRYABLE.includes(status);

/** @param {string} execution @param {string} step @returns {Act} */
export const retryAct = (execution, step) =>
  move(execution, "retry", {
    label: "Retry", icon: "replay", needs: "agent", title: "Permit another attempt", submit: "Permit one retry",
    note: "It permits one repeated call of this step.", fields: [why("Say why another attempt will do better.")],
    request: ({ why }) => ({ decision: "retry", execution_id: execution, step, why }),
    command: `record decision retry --execution-id ${quoted(execution)} --step ${quoted(step)} --why 'the reason'`,
  });
