/** Sorts the arguments of a call by what a person has to check first, and summarises long lists. No markup here. */

import { Exact } from "../json/exact_number.js";
import { write } from "../json/serializer.js";
import { nameText } from "../ui/visible.js";

/** @typedef {"switch" | "amount" | "target" | ""} Danger */
/** @typedef {{path: string[], value: unknown, danger: Danger, note: string}} Field a value without members */
/** @typedef {{first: Field[], plain: Field[], lists: [string, unknown[]][], nested: [string, object][]}} CallFields */

const MAX_DEPTH = 4;
/** Fields to check first are found in objects up to this depth; deeper ones are shown where they are. */
const LONG_LIST = 8;
/** A longer list is summarised, and shown in part at first. */
const MAX_COUNTED = 3;
/** With more different values than this, a column is counted and its values are not named. */

const SWITCHES =
  /^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/;
const AMOUNTS = /(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/;
const TARGETS =
  /(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/;

/** `dryRun`, `dry-run` and `dry_run` are one name. @param {string} name */
const plainName = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[\s.-]+/g, "_").toLowerCase();

/** @param {unknown} value */
const isNested = (value) => typeof value === "object" && value !== null && !(value instanceof Exact);

/** @param {string} name @returns {Danger} */
function dangerOf(name) {
  const plain = plainName(name);
  if (SWITCHES.test(plain)) return "switch";
  return AMOUNTS.test(plain) ? "amount" : TARGETS.test(plain) ? "target" : "";
}

/** What a switch says, where its name alone may be misread. @param {string} name @param {unknown} value */
function noteOn(name, value) {
  if (/^dry_?run$/.test(plainName(name))) return value === true ? "a rehearsal" : value === false ? "not a rehearsal" : "";
  return value === true ? "is on" : "";
}

const ORDER = ["switch", "amount", "target"];

/**
 * The arguments of a call: first what is dangerous or says how much and where, also within objects, then other plain values.
 * @param {unknown} args
 * @returns {CallFields}
 */
export function callFields(args) {
  const found = /** @type {CallFields} */ ({ first: [], plain: [], lists: [], nested: [] });
  if (!isNested(args) || Array.isArray(args)) {
    if (Array.isArray(args)) found.lists.push(["arguments", args]);
    return found;
  }
  for (const [name, value] of Object.entries(/** @type {object} */ (args))) {
    if (Array.isArray(value) && value.length) found.lists.push([name, value]);
    else if (isNested(value) && Object.keys(/** @type {object} */ (value)).length) found.nested.push([name, /** @type {object} */ (value)]);
    else addField(found, [name], value);
  }
  for (const [name, value] of found.nested) addDangerous(found, [name], value);
  found.first.sort((one, other) => ORDER.indexOf(one.danger) - ORDER.indexOf(other.danger));
  return found;
}

/** @param {CallFields} found @param {string[]} path @param {unknown} value */
function addField(found, path, value) {
  const name = path[path.length - 1];
  const danger = dangerOf(name);
  const field = { path, value, danger, note: danger === "switch" ? noteOn(name, value) : "" };
  (danger ? found.first : found.plain).push(field);
}

/** Fields within objects that are to be checked first. @param {CallFields} found @param {string[]} path @param {unknown} value */
function addDangerous(found, path, value) {
  if (!isNested(value) || Array.isArray(value) || path.length >= MAX_DEPTH) return;
  for (const [name, each] of Object.entries(/** @type {object} */ (value))) {
    if (isNested(each)) addDangerous(found, [...path, name], each);
    else if (dangerOf(name)) addField(found, [...path, name], each);
  }
}

/** @param {unknown[]} list */
export const isLong = (list) => list.length > LONG_LIST;

/** The columns of a list of objects; empty for a list of other values. @param {unknown[]} list @returns {string[]} */
export function columnsOf(list) {
  const isTable = list.length > 1 && list.every((each) => isNested(each) && !Array.isArray(each));
  return isTable ? [...new Set(list.flatMap((each) => Object.keys(/** @type {object} */ (each))))] : [];
}

/**
 * What a long list holds, in short: how many, how many different, from where to where, and the sum of numbers.
 * @param {unknown[]} list
 * @returns {string}
 */
export function summaryOf(list) {
  const numbers = list.map((each) => (typeof each === "number" || each instanceof Exact ? String(each) : ""));
  if (numbers.every((each) => DECIMAL.test(each))) return numbersText(numbers);
  const counts = new Map();
  for (const each of list) {
    const text = write(each, { sorted: true });
    counts.set(text, (counts.get(text) || 0) + 1);
  }
  if (counts.size === 1) return `the same in all ${list.length}: ${shortened([...counts.keys()][0])}`;
  if (counts.size <= MAX_COUNTED) return [...counts].map(([text, count]) => `${count} × ${shortened(text)}`).join(", ");
  const repeated = [...counts.values()].filter((count) => count > 1).length;
  return `${counts.size} different${repeated ? `, ${repeated} of them more than once` : ""}`;
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** The least, the greatest and the sum, exact to the last digit. @param {string[]} numbers in decimal notation */
function numbersText(numbers) {
  const digits = Math.max(...numbers.map((each) => (each.split(".")[1] || "").length));
  const scaled = numbers.map((each) => BigInt(each.replace(".", "") + "0".repeat(digits - (each.split(".")[1] || "").length)));
  const sorted = scaled.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const [low, high] = [sorted[0], sorted[sorted.length - 1]].map((each) => decimalText(each, digits));
  const sum = decimalText(scaled.reduce((total, each) => total + each, 0n), digits);
  return `${low === high ? `each ${low}` : `${low} to ${high}`}, together ${sum}`;
}

/** @param {bigint} scaled @param {number} digits */
function decimalText(scaled, digits) {
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, "0");
  const shown = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
  return scaled < 0n ? `-${shown}` : shown;
}

const MAX_SHORT = 40;

/** A text in quotes, and cut if it is long, so that it cannot pass for other arguments. @param {string} text */
const shortened = (text) => (text.length > MAX_SHORT ? `${text.slice(0, MAX_SHORT)}…` : text);

/**
 * A call in one line: the tool, what is to be checked first, other plain values, and the lengths of lists.
 * @param {string} tool
 * @param {unknown} args
 */
export function callText(tool, args) {
  const { first, plain, lists, nested } = callFields(args);
  const within = new Set(nested.map(([name]) => name));
  const parts = [...first, ...plain].map(({ path, value }) => `${path.map(nameText).join(".")} ${shortened(write(value))}`);
  const rest = [...within].filter((name) => !first.some(({ path }) => path[0] === name));
  const called = /\s/.test(tool) ? JSON.stringify(tool) : tool;
  return [called, ...parts, ...lists.map(([name, list]) => `${list.length} ${nameText(name)}`), ...rest.map((name) => `${nameText(name)} {…}`)].filter(Boolean).join(" · ");
}

const REFERENCE = /\$\{arguments((?:\.[^.{}]+)+)\}/g;
const OF_RESULT = /\$\{result[^{}]*\}/;

/**
 * The undo of a call with its arguments filled in, as the server does it (`core/undo.py`); what comes from the result is not
 * known yet.
 * @param {unknown} undo
 * @param {unknown} args
 * @returns {{undo: any, waits: boolean}} `waits`: a part of it is only known after the call
 */
export function filledUndo(undo, args) {
  const filled = fill(undo, args);
  return { undo: filled, waits: OF_RESULT.test(typeof filled === "string" ? filled : write(filled ?? null)) };
}

/** @param {any} value @param {unknown} args @returns {any} */
function fill(value, args) {
  if (Array.isArray(value)) return value.map((each) => fill(each, args));
  if (isNested(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, args)]));
  if (typeof value !== "string") return value;
  const whole = value.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);
  if (whole) return lookedUp(whole[1], args) ?? value;
  return value.replace(REFERENCE, (reference, path) => {
    const found = lookedUp(path, args);
    return found === undefined ? reference : typeof found === "string" ? found : write(found);
  });
}

/** @param {string} path @param {any} value */
function lookedUp(path, value) {
  for (const name of path.split(".").slice(1)) {
    if (!isNested(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value === null || (typeof value === "string" && value.startsWith("[masked")) ? undefined : value;
}
