/** What is drawn of the bars at a zoom: those that can be seen, and where they are too small, one mark for several. */

/** @typedef {import("./lanes.js").Lane} Lane */
/** @typedef {import("../execution/lines.js").Line} Line */
/** @typedef {{x: number, y: number, width: number, line: Line, count: number, state: string, open: boolean,
 *   problems: {x: number, state: string}[]}} Mark `problems` are those among several that went wrong, where they are */

const MOST = 700;
/** Marks that are drawn at once: so many a browser moves without stutter. */
const NARROW = 3;
/** Pixels: two neighbours that are both narrower may be one mark. */
const PROBLEMS = ["failed", "in_doubt"];

/**
 * @param {Lane[]} lanes
 * @param {(time: number) => number} x pixels of a moment
 * @param {number} width of the view, in pixels
 * @param {(lane: Lane, row: number) => number} y
 * @returns {Mark[]}
 */
export function marks(lanes, x, width, y) {
  for (let narrow = NARROW; ; narrow *= 2) {
    const found = lanes.flatMap((lane) => ofLane(lane, x, width, y, narrow));
    if (found.length <= MOST || narrow > width) return found;
  }
}

/**
 * @param {Lane} lane
 * @param {(time: number) => number} x
 * @param {number} width
 * @param {(lane: Lane, row: number) => number} y
 * @param {number} narrow
 */
function ofLane(lane, x, width, y, narrow) {
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
    const open = !bar.line.ended;
    if (before && size < narrow && before.x + before.width >= from - narrow / 2 && !open && !before.open && (before.count > 1 || before.width < narrow)) {
      before.width = Math.max(before.width, from + size - before.x);
      before.count += 1;
      if (PROBLEMS.includes(bar.line.state)) before.problems.push({ x: from, state: bar.line.state });
      continue;
    }
    const { state } = bar.line;
    const problems = PROBLEMS.includes(state) ? [{ x: from, state }] : [];
    const mark = { x: from, y: y(lane, bar.row), width: size, line: bar.line, count: 1, state, open, problems };
    last[bar.row] = mark;
    found.push(mark);
  }
  return found;
}
