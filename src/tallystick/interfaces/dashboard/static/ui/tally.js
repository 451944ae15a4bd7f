/** The progress of a plan as tally marks in groups of five. */

import { html, names } from "../html.js";

const MOST = 40;
/** More marks would be too narrow: then a plain bar is drawn. */

/**
 * @param {{steps?: string[], done?: number, total?: number, running?: boolean, failed?: boolean, label?: string}} props
 *   `steps` are the states of the steps; without them, `done` of `total`
 */
export function Tally({ steps, done = 0, total = 0, running = false, failed = false, label }) {
  const states = steps || Array.from({ length: Math.min(total, MOST + 1) }, (_, index) => ofCount(index, done, running, failed));
  const count = steps ? steps.length : total;
  const finished = steps ? steps.filter((each) => each === "done" || each === "skipped").length : done;
  const text = label || `${finished} of ${count} steps done`;
  if (!count) return html`<span class="tally-none">ad hoc</span>`;
  return html`<span class="tally" role="img" aria-label=${text} title=${text}>
    ${count > MOST
      ? html`<span class="tally-bar"><span style=${{ width: `${(100 * finished) / count}%` }}></span></span>`
      : states.map((each, index) => html`<i class=${names("notch", `notch-${each}`, index % 5 === 4 && "notch-fifth")}></i>`)}
  </span>`;
}

/**
 * @param {number} index
 * @param {number} done
 * @param {boolean} running
 * @param {boolean} failed
 */
function ofCount(index, done, running, failed) {
  if (index < done) return "done";
  if (index === done && failed) return "failed";
  return index === done && running ? "running" : "planned";
}
