/** Ranges of time by name, in the time zone of this browser: `today`, `yesterday`, `last night`, `16h`, `7d`. */

const HOUR = 3_600_000;
const UNITS = /** @type {Record<string, number>} */ ({ m: HOUR / 60, h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR });
const NIGHT_FROM = 20;
const NIGHT_TO = 8;
/** Last night: from the evening before until the morning, or until now. */

/** @typedef {{since: string, until?: string}} TimeRange */

/**
 * The range that a name stands for; null if it is none.
 * @param {string} name
 * @param {number} [now]
 * @returns {TimeRange | null}
 */
export function timeRange(name, now = Date.now()) {
  const words = name.trim().toLowerCase();
  if (words === "today") return { since: iso(hour(now, 0, 0)) };
  if (words === "yesterday") return { since: iso(hour(now, -1, 0)), until: iso(hour(now, 0, 0)) };
  if (words === "last night") {
    const end = hour(now, 0, NIGHT_TO);
    return { since: iso(hour(now, -1, NIGHT_FROM)), ...(end < now ? { until: iso(end) } : {}) };
  }
  const span = /^(\d{1,6})\s*([mhdw])$/.exec(words);
  return span ? { since: iso(now - Number(span[1]) * UNITS[span[2]]) } : null;
}

/**
 * @param {number} now
 * @param {number} days
 * @param {number} hours
 */
function hour(now, days, hours) {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hours).getTime();
}

/** @param {number} time */
const iso = (time) => new Date(time).toISOString();
