/** The time left to answer a question. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A unit is used from two of it on: "90 min left" is more exact than "1 h left". Its rest is cut off: nobody has more time than is shown.
 * @type {[string, number][]} */
const UNITS = [["d", DAY], ["h", HOUR], ["min", MINUTE]];

/** Less time is urgent: it is shown with a sign, not only with a colour. */
export const SOON = 10 * MINUTE;

/**
 * @param {string} expires empty when it never expires
 * @param {number} now milliseconds
 * @returns {{text: string, urgency: "none" | "calm" | "soon" | "over", next: number}} `next`: when the text changes
 */
export function remaining(expires, now) {
  if (!expires) return { text: "no time limit", urgency: "none", next: Infinity };
  const left = Date.parse(expires) - now;
  if (left <= 0) return { text: "expired", urgency: "over", next: Infinity };
  const urgency = left <= SOON ? "soon" : "calm";
  const [unit, size] = UNITS.find(([, size]) => left >= 2 * size) ?? ["s", 1000];
  const isSeconds = size === 1000;
  const count = isSeconds ? Math.ceil(left / size) : Math.floor(left / size);
  return { text: `${count} ${unit} left`, urgency, next: isSeconds ? left - (count - 1) * size : left - count * size + 1 };
}

/**
 * Sort questions: the soonest to expire first, then the oldest.
 * @template {{id: string, expires?: string, asked: string}} T
 * @param {T[]} approvals
 */
export function soonestFirst(approvals) {
  const end = (/** @type {T} */ each) => (each.expires ? Date.parse(each.expires) : Infinity);
  return approvals.toSorted((one, other) => (end(one) === end(other) ? 0 : end(one) - end(other)) || (one.id < other.id ? -1 : 1));
}
