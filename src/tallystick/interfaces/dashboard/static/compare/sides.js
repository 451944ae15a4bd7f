/** The rows of a comparison: the outcome of each side, and the differences. No markup here. */

import { stepsShort } from "../ui/tally.js";

/**
 * @typedef {{state: string, action_id?: string, attempts?: number, seconds?: number | null, actor?: string}} Side
 * @typedef {{path: string, a?: unknown, b?: unknown, only?: "" | "a" | "b"}} Place
 * @typedef {{kind: "step" | "call" | "undo", name: string, same: boolean, summary?: string, a?: Side, b?: Side, only?: "" | "a" | "b",
 *   arguments?: Place[], results?: Place[], cut?: boolean}} Row one row of `GET /v1/comparison`
 */

const SLOWER = 1.5;
/** Durations differ if one is 1.5 times the other; below a second they are not compared. */

/**
 * @param {Row} row
 * @returns {string[]} words for what differs
 */
export function differences({ a, b, arguments: given = [], results = [] }) {
  if (!a || !b) return [a ? "only in A" : "only in B"];
  if ([a.state, b.state].includes("planned")) return a.state === b.state ? [] : ["state"];
  const found = [];
  if (a.state !== b.state) found.push("state");
  if ((a.attempts ?? 0) !== (b.attempts ?? 0)) found.push("attempts");
  if (given.length) found.push("arguments");
  if (results.length) found.push("result");
  const [short, long] = [a.seconds ?? 0, b.seconds ?? 0].sort((one, other) => one - other);
  if (long > 1 && long > short * SLOWER) found.push("duration");
  return found;
}

/**
 * The differences of a row as rows of a `DiffTable`.
 * @param {Place[]} places
 */
export function diffRows(places) {
  return places.map(({ path, a, b, only }) => ({
    path: path.replace(/^\$\.?/, "") || "value", kind: /** @type {const} */ ({ a: "removed", b: "added", "": "changed" })[only ?? ""], before: a, after: b,
  }));
}

/**
 * @param {any} execution as the list returns it
 */
export function summaryOf(execution) {
  const took = execution.ended ? (Date.parse(execution.ended) - Date.parse(execution.started)) / 1000 : null;
  const count = (/** @type {Record<string, number> | undefined} */ counts) => Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0);
  return {
    status: execution.status, revision: execution.revision ?? 0, by: execution.actor || execution.client || "", started: execution.started, took,
    steps: stepsShort(execution), actions: count(execution.actions) + count(execution.undos), failed: execution.actions?.failed ?? 0,
    in_doubt: execution.in_doubt ?? 0, undone: execution.undos?.ok ?? 0, owed: execution.owed ?? 0, unplanned: execution.unplanned ?? 0,
  };
}
