/** A plan's progress as notches on a stick, in fives, as tallies were cut. */

import { html, names } from "../html.js";

const MOST = 40;
/** More notches than this are too narrow to count: then it is a plain bar. */

/**
 * @param {{steps?: string[], done?: number, total?: number, running?: boolean, failed?: boolean, label?: string}} props
 *   `steps` are the states of each step; where only counts are known, `done` of `total`
 */
export function Tally({ steps, done = 0, total = 0, running = false, failed = false, label }) {
  const states = steps || Array.from({ length: Math.min(total, MOST + 1) }, (_, place) => ofCount(place, done, running, failed));
  const count = steps ? steps.length : total;
  const finished = steps ? steps.filter((each) => each === "done" || each === "skipped").length : done;
  const text = label || `${finished} of ${count} steps done`;
  if (!count) return html`<span class="tally-none">ad hoc</span>`;
  return html`<span class="tally" role="img" aria-label=${text} title=${text}>
    ${count > MOST
      ? html`<span class="tally-bar"><span style=${{ width: `${(100 * finished) / count}%` }}></span></span>`
      : states.map((each, place) => html`<i class=${names("notch", `notch-${each}`, place % 5 === 4 && "notch-fifth")}></i>`)}
  </span>`;
}

/**
 * @param {number} place
 * @param {number} done
 * @param {boolean} running
 * @param {boolean} failed
 */
function ofCount(place, done, running, failed) {
  if (place < done) return "done";
  if (place === done && failed) return "failed";
  return place === done && running ? "running" : "planned";
}
