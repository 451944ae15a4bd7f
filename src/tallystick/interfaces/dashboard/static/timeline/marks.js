/** The visible bars at a zoom level; bars that are too small are combined into one mark. */

/** @typedef {import("./lanes.js").Lane} Lane */
/** @typedef {import("../execution/actions.js").Line} Line */
/** @typedef {{x: number, y: number, width: number, line: Line, count: number, state: string, open: boolean,
 *   problems: {x: number, state: string}[], together: boolean}} Mark `problems` are those among several that went wrong,
 *   where they are; `together` when no zoom takes them apart, since they began and ended at the same time */

const MOST = 700;
/** Marks that a browser can move smoothly. */
const NARROW = 3;
/** Pixels: narrower neighbours may be combined. */
const PROBLEMS = ["failed", "in_doubt"];

/**
 * @param {Lane[]} lanes
 * @param {(time: number) => number} x pixels of a moment
 * @param {number} width of the view, in pixels
 * @param {(lane: Lane, row: number) => number} y
 * @param {string} [selected] the selected action, which keeps its own mark
 * @returns {Mark[]}
 */
export function marks(lanes, x, width, y, selected = "") {
  for (let narrow = NARROW; ; narrow *= 2) {
    const found = lanes.flatMap((lane) => ofLane(lane, x, width, y, narrow, selected));
    if (found.length <= MOST || narrow > width) return found;
  }
}

/**
 * Whether a narrow bar is combined with the mark before it.
 * @param {Mark} before
 * @param {number} from
 * @param {number} size
 * @param {number} narrow
 */
function isOne(before, from, size, narrow) {
  const near = before.x + before.width >= from - narrow / 2;
  return near && size < narrow && !before.open && (before.count > 1 || before.width < narrow);
}

/**
 * @param {Lane} lane
 * @param {(time: number) => number} x
 * @param {number} width
 * @param {(lane: Lane, row: number) => number} y
 * @param {number} narrow
 * @param {string} selected
 */
function ofLane(lane, x, width, y, narrow, selected) {
  /** @type {Mark[]} */
  const found = [];
  /** @type {Mark[]} */
  const last = [];
  for (const bar of lane.bars) {
    const from = x(bar.from);
    const to = x(bar.to);
    if (to < -20 || from > width + 20) continue;
    const size = Math.max(to - from, NARROW);
    const before = last[bar.row];
    const chosen = bar.line.id === selected;
    const alone = !bar.line.ended || chosen;
    const together = before && !alone && !before.open && Math.abs(before.x - from) < 2 && Math.abs(before.width - size) < 2;
    if (together || (before && !alone && isOne(before, from, size, narrow))) {
      before.width = Math.max(before.width, from + size - before.x);
      before.count += 1;
      before.together &&= together;
      if (PROBLEMS.includes(bar.line.state)) before.problems.push({ x: from, state: bar.line.state });
      continue;
    }
    const { state } = bar.line;
    const problems = PROBLEMS.includes(state) ? [{ x: from, state }] : [];
    const mark = { x: from, y: y(lane, bar.row), width: size, line: bar.line, count: 1, state, open: !bar.line.ended && !bar.line.lost, problems, together: true };
    if (!chosen) last[bar.row] = mark;
    found.push(mark);
  }
  return found;
}
