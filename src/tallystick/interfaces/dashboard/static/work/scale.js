/** Maps time to pixels, with long idle times folded: an execution that waited overnight stays readable. */

const SHORTEST = 30_000;
/** Milliseconds: shorter idle times are never folded. */
const SHARE = 0.06;
/** An idle time is folded if it is longer than this part of the active time... */
const FOLDED = 0.03;
/** ...and is then drawn as this part of the active time. */
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000,
];

/** @typedef {{from: number, to: number}} Span milliseconds */
/** @typedef {{from: number, to: number, at: number, size: number, gap: boolean}} Piece `at` and `size` in folded time */

/**
 * The active times and the idle times between them.
 * @param {Span[]} spans
 * @returns {Piece[]}
 */
export function pieces(spans) {
  const busy = merged(spans);
  if (!busy.length) return [{ from: 0, to: 1000, at: 0, size: 1000, gap: false }];
  const active = busy.reduce((sum, span) => sum + span.to - span.from, 0);
  const longest = Math.max(SHORTEST, SHARE * active);
  const width = Math.max(FOLDED * active, 2000);
  /** @type {Piece[]} */
  const found = [];
  let at = 0;
  const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {boolean} */ gap) => {
    const size = gap ? width : to - from;
    found.push({ from, to, at, size, gap });
    at += size;
  };
  let from = busy[0].from;
  busy.forEach((span, toPixel) => {
    const next = busy[toPixel + 1];
    if (next && next.from - span.to <= longest) return;
    add(from, Math.max(span.to, from + 1), false);
    if (next) {
      add(span.to, next.from, true);
      from = next.from;
    }
  });
  return found;
}

/**
 * @param {Span[]} spans
 * @returns {Span[]}
 */
function merged(spans) {
  const sorted = [...spans].sort((one, other) => one.from - other.from);
  /** @type {Span[]} */
  const found = [];
  for (const span of sorted) {
    const last = found[found.length - 1];
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else found.push({ ...span });
  }
  return found;
}

/**
 * The folded time of a moment.
 * @param {Piece[]} found
 * @param {number} time
 */
export function folded(found, time) {
  let low = 0;
  let high = found.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (found[middle].from <= time) low = middle;
    else high = middle - 1;
  }
  const piece = found[low];
  const share = (time - piece.from) / Math.max(1, piece.to - piece.from);
  return piece.at + Math.max(0, Math.min(1, share)) * piece.size;
}

/** @param {Piece[]} found */
export const lengthOf = (found) => found[found.length - 1].at + found[found.length - 1].size;

/**
 * Round times for the axis, far enough apart to read.
 * @param {Piece[]} found
 * @param {(folded: number) => number} toPixel pixels of a folded time
 * @param {{from: number, to: number}} view in folded time
 * @param {number} apart pixels
 * @param {number} zone offset of local time in milliseconds, so that hours are round in local time
 */
export function ticks(found, toPixel, view, apart, zone) {
  const perPixel = 1 / Math.max(1e-9, toPixel(1) - toPixel(0));
  const step = STEPS.find((each) => each >= apart * perPixel) || STEPS[STEPS.length - 1];
  const marks = [];
  for (const piece of found) {
    if (piece.gap || piece.at > view.to || piece.at + piece.size < view.from) continue;
    const start = Math.max(piece.from, piece.from + (view.from - piece.at));
    const end = Math.min(piece.to, piece.from + (view.to - piece.at));
    for (let time = Math.ceil((start + zone) / step) * step - zone; time <= end; time += step) {
      marks.push({ time, x: toPixel(piece.at + time - piece.from) });
    }
  }
  return { step, marks };
}
