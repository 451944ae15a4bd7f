/** What is typed into the search: words, and times such as `yesterday`, `last night` and `since:16h`. */

import { timeRange } from "../time_ranges.js";

const FIELD = /\b(since|until):(?:"([^"]*)"|(\S+))/gi;
const NAMED = /(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;

/**
 * @param {string} text
 * @returns {{text: string, since?: string, until?: string}}
 */
export function parseSearch(text) {
  /** @type {{since?: string, until?: string}} */
  let range = {};
  let rest = text.replace(FIELD, (_, field, quoted, plain) => {
    const value = quoted ?? plain;
    const named = timeRange(value);
    if (field.toLowerCase() === "since") range = { ...range, ...(named ?? { since: value }) };
    else range = { ...range, until: named?.until ?? named?.since ?? value };
    return " ";
  });
  rest = rest.replace(NAMED, (_, name) => {
    range = { ...range, ...timeRange(name) };
    return " ";
  });
  return { text: rest.trim().replaceAll(/\s+/g, " "), ...range };
}
