/** One bar of the timeline. Its shape shows the state: an open end, hatching, a cross, a point to the left. */

import { nameOf } from "../execution/actions.js";
import { html, names } from "../html.js";
import { span, visibleText } from "../ui/index.js";
import { state } from "../ui/badge.js";
import { ROW } from "./lanes.js";

/** @typedef {import("./marks.js").Mark} Mark */

const HEIGHT = ROW - 4;
const LEGIBLE = 18;
/** Pixels: a narrower bar has no text. */
const WORDY = 66;
const POINT = 6;

/**
 * @param {{mark: Mark, selected: boolean, reachable: boolean, edge: number, onSelect: (mark: Mark) => void}} props
 */
export function Bar({ mark, selected, reachable, edge, onSelect }) {
  const { line, count, open, x, y } = mark;
  const undo = line.kind === "undo";
  const many = count > 1;
  const tone = many ? "ok" : undo && mark.state === "ok" ? "undo" : state(mark.state).tone;
  const doubt = mark.state === "in_doubt" && !many;
  const failed = mark.state === "failed" && !many;
  const right = open ? edge : x + mark.width;
  const width = Math.max(3, right - x);
  const lead = undo ? POINT : 0;
  const start = Math.max(x, 0) + 6 + lead;
  const room = right - start - 4 - (failed ? 12 : 0);
  const text = many ? `${count}${room > WORDY ? " actions" : ""}` : labelText(line);
  const label = many ? `${count} actions, ${mark.problems.length} of them failed or in doubt` : spokenLabel(line);
  return html`<g
    class=${names("action-bar", `tone-${tone}`, selected && "bar-selected", doubt && "bar-doubt", mark.state === "skipped" && "bar-skipped", many && "bar-many")}
    role="button"
    tabindex=${reachable ? 0 : -1}
    aria-label=${label}
    aria-pressed=${String(selected)}
    data-action=${line.id}
    onClick=${() => onSelect(mark)}
  >
    <path class="bar-hit" d=${`M${x - 1} ${y - 1}h${width + 2}v${HEIGHT + 2}h${-width - 2}z`} />
    <path class="bar-shape" d=${shape(x, y, width, undo, open)} />
    ${doubt && html`<path class="bar-hatch" d=${shape(x, y, width, undo, open)} />`}
    ${many && mark.problems.map((each) => html`<path class=${`bar-problem bar-problem-${each.state}`} d=${`M${each.x + 1} ${y}v${HEIGHT}`} />`)}
    ${failed && width > 12 && html`<path class="bar-cross" d=${`M${right - 11} ${y + 5.5}l6 7m0 -7l-6 7`} />`}
    ${room > LEGIBLE && html`<svg x=${start} y=${y} width=${room} height=${HEIGHT}><text class="bar-text" y=${HEIGHT - 5}>${text}</text></svg>`}
  </g>`;
}

/**
 * A box. An undo has a point on the left; an action without an end is open on the right.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {boolean} undo
 * @param {boolean} open
 */
function shape(x, y, width, undo, open) {
  const point = undo ? Math.min(POINT, width / 2) : 0;
  const left = undo ? `L${x} ${y + HEIGHT / 2}L${x + point} ${y}` : `L${x} ${y + HEIGHT}L${x} ${y}`;
  const from = `M${x + point} ${y}H${x + width}`;
  return open ? `M${x + width} ${y + HEIGHT}H${x + point}${left}H${x + width}` : `${from}V${y + HEIGHT}H${x + point}${left}Z`;
}

/** @param {import("../execution/actions.js").Line} line */
function labelText(line) {
  const attempt = (line.attempt || 1) > 1 ? `#${line.attempt} ` : "";
  return `${attempt}${visibleText(line.step && !line.summary ? line.step : nameOf(line))}`;
}

/** @param {import("../execution/actions.js").Line} line */
export function spokenLabel(line) {
  const took = line.ended ? `, ${span(Date.parse(line.ended) - Date.parse(line.begun))}` : "";
  const attempt = (line.attempt || 1) > 1 ? `, attempt ${line.attempt}` : "";
  const undoes = line.undoes ? `, undoes ${line.undoes}` : "";
  const tool = line.tool && line.tool !== nameOf(line) ? `, ${line.tool}` : "";
  return `${labelText(line)}${tool}, ${state(line.state).word}${attempt}${took}${undoes}${line.unplanned ? ", unplanned" : ""}`;
}
