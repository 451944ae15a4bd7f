/** Lanes of the timeline: one for each agent and sub-agent, with rows for overlapping actions. */

/** @typedef {import("../execution/actions.js").Line} Line */
/** @typedef {{line: Line, from: number, to: number, row: number}} Bar milliseconds; `to` is the drawn end */
/** @typedef {{key: string, name: string, kind: string, rows: number, bars: Bar[], top: number, child: boolean}} Lane */

const MAX_ROWS = 8;
/** Rows of a lane; more simultaneous actions overlap. */
const MANY_BARS = 400;
const MAX_ROWS_OF_MANY = 4;
export const ROW = 22;
export const PADDING = 6;

/**
 * @param {Line[]} lines
 * @param {number} now the right edge of actions without an end
 * @returns {{lanes: Lane[], height: number}}
 */
export function arrange(lines, now) {
  /** @type {Map<string, Lane>} */
  const found = new Map();
  for (const line of lines) {
    const kind = line.actor_kind || "agent";
    const name = line.actor || "unnamed";
    const key = `${kind} ${name}`;
    if (!found.has(key)) found.set(key, { key, name, kind, rows: 0, bars: [], top: 0, child: kind === "sub-agent" });
    const from = Date.parse(line.begun);
    const over = line.ended || line.lost;
    const to = over ? Date.parse(over) : now;
    found.get(key)?.bars.push({ line, from, to: Math.max(from, to), row: 0 });
  }
  const lanes = ordered([...found.values()]);
  let top = 0;
  for (const lane of lanes) {
    pack(lane);
    lane.top = top;
    top += lane.rows * ROW + 2 * PADDING;
  }
  return { lanes, height: top };
}

/**
 * Sort lanes: each agent, with its sub-agents below it.
 * @param {Lane[]} lanes
 */
function ordered(lanes) {
  const heads = lanes.filter((lane) => !lane.child);
  const under = (/** @type {Lane} */ head) => lanes.filter((lane) => lane.child && lane.name.startsWith(`${head.name}/`) && head.kind === "agent");
  const placed = heads.flatMap((head) => [head, ...under(head)]);
  return [...placed, ...lanes.filter((lane) => !placed.includes(lane))];
}

/** @param {Lane} lane */
function pack(lane) {
  /** @type {number[]} */
  const ends = [];
  const maxRows = lane.bars.length > MANY_BARS ? MAX_ROWS_OF_MANY : MAX_ROWS;
  for (const bar of lane.bars) {
    let row = ends.findIndex((end) => end <= bar.from);
    if (row < 0) row = ends.length < maxRows ? ends.length : bar.line.seq % maxRows;
    ends[row] = Math.max(ends[row] || 0, bar.to);
    bar.row = row;
  }
  lane.rows = Math.max(1, ends.length);
}
