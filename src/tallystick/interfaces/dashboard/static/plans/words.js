/** Words for the properties of a step, and the changes between two revisions of a plan. No markup here. */

import { changes, pathText } from "../diff/json.js";

/** @typedef {import("../types.js").StepText} Step */
/** @typedef {{id: string, change: "same" | "added" | "removed" | "changed" | "moved", before?: Step, after?: Step, fields: string[]}} StepChange */

/** Word, icon and tone for each value of `cancellable`. */
export const CANCELLABLE = /** @type {Record<string, {word: string, icon: string, tone: string}>} */ ({
  reversible: { word: "reversible", icon: "unwinding", tone: "ok" },
  "partially-reversible": { word: "partly reversible", icon: "owed", tone: "doubt" },
  irreversible: { word: "irreversible", icon: "cancelled", tone: "failed" },
});

/** What the plan label to do when a step fails. */
export const POLICY = /** @type {Record<string, string>} */ ({
  cancel_all: "cancel all",
  cancel_dependent: "cancel dependent steps",
  continue_others: "continue other steps",
  manual_decision: "a person or agent decides",
});

/** @param {Step} step */
export function policyOf(step) {
  const policy = step.failure_policy ?? "manual_decision";
  return typeof policy === "string" ? { action: policy, reason: "", to: [] } : { action: policy.action ?? "manual_decision", reason: policy.reason ?? "", to: policy.propagate_to ?? [] };
}

/**
 * How a step is undone: in words, or as a call.
 * @param {any} undo
 * @returns {{words: string, tool: string, arguments?: Record<string, unknown>} | null}
 */
export function undoOf(undo) {
  if (!undo) return null;
  if (typeof undo === "string") return { words: undo, tool: "" };
  return undo.words || undo.tool ? { words: undo.words ?? "", tool: undo.tool ?? "", arguments: undo.arguments } : null;
}

/**
 * Compares the steps of two revisions, in the order of the newer one; removed steps stay where they were.
 * @param {Step[]} before
 * @param {Step[]} after
 * @returns {StepChange[]}
 */
export function stepChanges(before, after) {
  const old = new Map(before.map((step, at) => [step.id, at]));
  const common = after.filter((step) => old.has(step.id)).map((step) => step.id);
  const wasIn = before.filter((step) => after.some((each) => each.id === step.id)).map((step) => step.id);
  /** @type {StepChange[]} */
  const rows = after.map((step) => {
    const at = old.get(step.id);
    if (at === undefined) return { id: step.id, change: "added", after: step, fields: [] };
    const found = changes(before[at], step);
    const fields = [...new Set(found.map((each) => pathText(each.path.slice(0, 1))))];
    const moved = common.indexOf(step.id) !== wasIn.indexOf(step.id);
    const change = fields.length ? "changed" : moved ? "moved" : "same";
    return { id: step.id, change: /** @type {any} */ (change), before: before[at], after: step, fields };
  });
  before.forEach((step, at) => {
    if (after.some((each) => each.id === step.id)) return;
    const next = before.slice(at + 1).find((each) => rows.some((row) => row.id === each.id));
    const place = next ? rows.findIndex((row) => row.id === next.id) : rows.length;
    rows.splice(place, 0, { id: step.id, change: "removed", before: step, fields: [] });
  });
  return rows;
}

/**
 * The changed fields of a plan, apart from its steps.
 * @param {import("../types.js").PlanView} before
 * @param {import("../types.js").PlanView} after
 */
export function headChanges(before, after) {
  return /** @type {const} */ (["title", "goal", "reasoning"])
    .filter((name) => (before[name] ?? "") !== (after[name] ?? ""))
    .map((name) => ({ name, before: before[name] ?? "", after: after[name] ?? "" }));
}
