/** Writes JSON like `JSON.stringify`, with exact numbers as they were parsed. */

import { Exact } from "./exact_number.js";

/**
 * @param {unknown} value
 * @param {{indent?: number, sorted?: boolean}} [how] `sorted` by names: the same text for the same value
 * @returns {string}
 */
export function write(value, { indent = 0, sorted = false } = {}) {
  return text(value, indent ? "\n" : "", " ".repeat(indent), sorted);
}

/**
 * @param {any} value
 * @param {string} line what a new line begins with at this depth
 * @param {string} step
 * @param {boolean} sorted
 * @returns {string}
 */
function text(value, line, step, sorted) {
  if (value instanceof Exact) return value.source;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const within = (/** @type {unknown} */ each) => text(each, line && line + step, step, sorted);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map(within)
    : namesOf(value, sorted).map((name) => `${JSON.stringify(name)}:${line && " "}${within(value[name])}`);
  if (!parts.length) return open + close;
  return open + parts.map((part) => (line && line + step) + part).join(",") + line + close;
}

/** @param {Record<string, unknown>} value @param {boolean} sorted */
function namesOf(value, sorted) {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return sorted ? names.sort() : names;
}
