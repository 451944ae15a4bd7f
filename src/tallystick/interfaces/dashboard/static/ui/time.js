/** Times, relative or absolute as the person chooses; the title has the absolute time. */

import { html, useEffect, useState } from "../html.js";
import { useSetting } from "../settings.js";

const TICK = 1000;
const CLOCK_STEP = 300_000;
/** Milliseconds. Entries whose clock is behind by less repeat the time of the entry before. */
const SPANS = /** @type {[number, string][]} */ ([[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]]);

const listeners = new Set();
/** @type {any} */
let timer = 0;

/** The current time, updated every second by one timer for the whole page. */
export function useNow() {
  const [now, set] = useState(() => Date.now());
  useEffect(() => {
    listeners.add(set);
    timer ||= setInterval(() => !document.hidden && listeners.forEach((each) => each(Date.now())), TICK);
    return () => {
      listeners.delete(set);
      if (!listeners.size) timer = void clearInterval(timer);
    };
  }, []);
  return now;
}

/**
 * A length of time in words: "4 min", "2 h 5 min", "350 ms"; "–" if a clock was set back in between.
 * @param {number} milliseconds
 * @param {number} [maxParts] units shown
 */
export function span(milliseconds, maxParts = 2) {
  if (milliseconds < -CLOCK_STEP) return "–";
  const total = Math.max(0, milliseconds);
  if (total < 1000) return `${Math.round(total)} ms`;
  if (total < 10_000 && maxParts > 1) return `${(total / 1000).toFixed(1).replace(".0", "")} s`;
  let seconds = Math.round(total / 1000);
  const parts = [];
  for (const [size, unit] of SPANS) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count) parts.push(`${count} ${unit}`);
    if ((parts.length && !count) || parts.length === maxParts) break;
  }
  return parts.join(" ");
}

/**
 * A point in time in full: date, time to the millisecond, zone.
 * @param {string | number} at
 * @param {string} zone
 */
export function exact(at, zone) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : FULL[zone === "utc" ? "utc" : "local"].format(date);
}

/**
 * The time of day, with the date if it is not today.
 * @param {string | number} at
 * @param {string} zone
 */
export function clock(at, zone) {
  const date = new Date(at);
  const format = date.toDateString() === new Date().toDateString() ? SHORT : DATED;
  return format[zone === "utc" ? "utc" : "local"].format(date);
}

/** @param {Intl.DateTimeFormatOptions} how */
const both = (how) => ({
  local: new Intl.DateTimeFormat("en-GB", how),
  utc: new Intl.DateTimeFormat("en-GB", { ...how, timeZone: "UTC" }),
});
const TIME = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const SHORT = both(TIME);
const DATED = both({ day: "numeric", month: "short", ...TIME });
const FULL = both({ dateStyle: undefined, year: "numeric", month: "short", day: "numeric", ...TIME, fractionalSecondDigits: 3, timeZoneName: "short" });

/** The name of the time zone in use. */
export function useZone() {
  const zone = useSetting("zone");
  return zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * A point in time. `lead` precedes a relative time ("quiet for 4 min").
 * @param {{at: string, lead?: string, tail?: string, form?: "relative" | "absolute"}} props
 */
export function Time({ at, lead = "", tail = " ago", form }) {
  const chosen = useSetting("time");
  const zone = useSetting("zone");
  if (!at) return html`<span class="faint">–</span>`;
  return html`<time class="time" dateTime=${at} title=${exact(at, zone)}>
    ${(form || chosen) === "absolute" ? clock(at, zone) : html`<${Ago} at=${at} lead=${lead} tail=${tail} />`}
  </time>`;
}

/** @param {{at: string, lead: string, tail: string}} props */
function Ago({ at, lead, tail }) {
  const passed = useNow() - Date.parse(at);
  if (passed < 1500 && !lead) return "now";
  return `${lead}${span(Math.max(passed, 1000), 1)}${lead ? "" : tail}`;
}

/**
 * How long something took, or has taken until now.
 * @param {{from: string, to?: string}} props
 */
export function Duration({ from, to }) {
  return to ? html`<span class="num">${span(Date.parse(to) - Date.parse(from))}</span>` : html`<${Growing} from=${from} />`;
}

/** @param {{from: string}} props */
function Growing({ from }) {
  return html`<span class="num">${span(useNow() - Date.parse(from))}</span>`;
}
