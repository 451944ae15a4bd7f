/** Two executions side by side, as rows to read: what each came to, and where they differ. Pure: no markup here. */

import { same } from "../diff/json.js";

/**
 * @typedef {{state?: string, attempts?: number, seconds?: number, arguments?: any, result?: any, error?: string, action_id?: string}} Side
 * @typedef {{id: string, title: string, a: Side | null, b: Side | null, planned: boolean, differs: string[]}} Row
 */

/** What is compared of a step, in the order in which it is told. A duration differs from half as much again. */
const PARTS = /** @type {const} */ (["state", "attempts", "arguments", "result", "error"]);
const SLOWER = 1.5;

/**
 * @param {Side | null} a
 * @param {Side | null} b
 * @returns {string[]} words for what differs
 */
export function differences(a, b) {
  if (!a || !b) return [a ? "only in A" : "only in B"];
  const found = PARTS.filter((part) => !same(a[part] ?? null, b[part] ?? null)).map(String);
  const [short, long] = [a.seconds ?? 0, b.seconds ?? 0].sort((one, other) => one - other);
  if (long > 1 && long > short * SLOWER) found.push("duration");
  return found;
}

/**
 * @param {any} execution as the list tells it
 */
export function summaryOf(execution) {
  const took = execution.ended ? (Date.parse(execution.ended) - Date.parse(execution.started)) / 1000 : null;
  const count = (/** @type {Record<string, number> | undefined} */ counts) => Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0);
  return {
    status: execution.status, revision: execution.revision ?? 0, by: execution.client || execution.actor || "", started: execution.started, took,
    steps: `${execution.done_steps ?? 0} of ${execution.total_steps ?? 0}`, actions: count(execution.actions), failed: execution.actions?.failed ?? 0,
    in_doubt: execution.in_doubt ?? 0, undone: execution.undos?.ok ?? 0, owed: execution.owed ?? 0, unplanned: execution.unplanned ?? 0,
  };
}

/**
 * What `GET /v1/comparison` tells, as rows: planned steps in the order of the plan, then what no step asked for.
 * @param {{steps?: any[], unplanned?: any[]}} told
 * @returns {Row[]}
 */
export function comparedRows({ steps = [], unplanned = [] }) {
  const row = (/** @type {any} */ each, /** @type {boolean} */ planned) => {
    const [a, b] = [sideOf(each.a), sideOf(each.b)];
    return { id: each.id ?? each.tool ?? "", title: each.title ?? each.tool ?? "", a, b, planned, differs: differences(a, b) };
  };
  return [...steps.map((each) => row(each, true)), ...unplanned.map((each) => row(each, false))];
}

/**
 * @param {any} side
 * @returns {Side | null}
 */
function sideOf(side) {
  if (!side) return null;
  const { actual, attempts, seconds, arguments: given, result, error, action_id: id } = side;
  return { state: actual, attempts, seconds, arguments: given, result, error, action_id: id };
}
