/** Tables as CSV (RFC 4180), safe to open in a spreadsheet. */

import { Exact } from "./json/exact_number.js";
import { write } from "./json/serializer.js";

/** Text that a spreadsheet reads as a formula. Models wrote the cells, and a formula can send data away. */
const FORMULA = /^[\s'"]*[=+\-@\t\r|%＝＋－＠]/;

/**
 * @param {readonly string[]} header
 * @param {readonly (readonly unknown[])[]} rows
 */
export function csv(header, rows) {
  return [header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** @param {unknown} value a number stays a number; null is empty */
function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  if (value instanceof Exact) return value.source;
  const text = typeof value === "string" ? value : write(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
