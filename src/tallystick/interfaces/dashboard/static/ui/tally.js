/** The progress of a plan as tally marks in groups of five. */

import { html, names } from "../html.js";

const MOST = 40;
/** More marks would be too narrow: then a plain bar is drawn. */

/**
 * @param {{row: any, steps?: string[], running?: boolean, failed?: boolean}} props
 *   `row` is an execution with its counts; `steps` are the states of its steps, if they are known
 */
export function Tally({ row, steps, running = false, failed = false }) {
  const { done, undone, skipped, total } = stepCounts(row);
  const known = [...Array(done - undone).fill("done"), ...Array(undone).fill("undone"), ...Array(skipped).fill("skipped")];
  const states = steps || Array.from({ length: Math.min(total, MOST + 1) }, (_, index) => known[index] ?? ofRest(index - known.length, running, failed));
  const count = steps ? steps.length : total;
  const text = stepsText(row);
  if (!count) return html`<span class="tally-none">ad hoc</span>`;
  return html`<span class="tally" role="img" aria-label=${text} title=${text}>
    ${count > MOST
      ? html`<span class="tally-bar"><span style=${{ width: `${(100 * (done + skipped)) / count}%` }}></span></span>`
      : states.map((each, index) => html`<i class=${names("notch", `notch-${each}`, index % 5 === 4 && "notch-fifth")}></i>`)}
  </span>`;
}

/**
 * How many steps of an execution are done, in the words of `steps_text` in operations/executions.py.
 * @param {any} row
 */
export function stepsText(row) {
  const { done, undone, skipped, total } = stepCounts(row);
  const taken = undone ? `, of which ${undone} undone` : "";
  const due = row.status === "unwinding" && row.owed ? `, ${row.owed} to undo` : "";
  return `${skipped ? `${done} done${taken}, ${skipped} skipped of ${total} steps` : `${done} of ${total} steps done${taken}`}${due}`;
}

/**
 * The same in short, beside a tally.
 * @param {any} row
 */
export function stepsShort(row) {
  const { done, undone, skipped, total } = stepCounts(row);
  const notes = [undone && `${undone} undone`, skipped && `${skipped} skipped`].filter(Boolean);
  return `${done}/${total}${notes.length ? ` (${notes.join(", ")})` : ""}`;
}

/** @param {any} row */
function stepCounts(row) {
  return { done: row.done_steps ?? 0, undone: row.undone_steps ?? 0, skipped: row.skipped_steps ?? 0, total: row.total_steps ?? 0 };
}

/**
 * @param {number} index of a step that is neither done nor skipped
 * @param {boolean} running
 * @param {boolean} failed
 */
function ofRest(index, running, failed) {
  if (index) return "planned";
  return failed ? "failed" : running ? "running" : "planned";
}
