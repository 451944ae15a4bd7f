/** The differences of two JSON values, as a list of paths and as lines. */

import { Exact } from "../json/exact_number.js";
import { write as json } from "../json/serializer.js";
import { nameText } from "../ui/visible.js";
import { align } from "./sequence.js";

/**
 * @typedef {(string | number)[]} Path
 * @typedef {{path: Path, change: "added" | "removed" | "changed", before?: unknown, after?: unknown}} Change
 * @typedef {{mark: " " | "-" | "+", depth: number, text: string, within?: boolean}} Line `within` a text of several lines
 * @typedef {{kind: "same" | "added" | "removed" | "changed" | "object" | "array" | "text", key?: string | number,
 *   before?: any, after?: any, parts?: Node[]}} Node
 */

/** Deeper values are compared as a whole: a model could fill the stack, and nobody reads such a diff. */
const DEEPEST = 100;

/**
 * Every path that was added, removed or changed, in reading order.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Change[]}
 */
export function changes(before, after) {
  /** @type {Change[]} */
  const found = [];
  collect(compare(before, after), [], found);
  return found;
}

/**
 * Both values as one text, with each line marked as unchanged, removed or added.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Line[]}
 */
export function lines(before, after) {
  /** @type {Line[]} */
  const written = [];
  write(compare(before, after), 0, "", "", written);
  return written;
}

/**
 * The same lines with long unchanged parts folded.
 * @param {Line[]} all
 * @param {number} around how many unchanged lines stay beside a change
 * @returns {(Line | {folded: Line[]})[]}
 */
export function folded(all, around = 3) {
  const near = new Uint8Array(all.length);
  all.forEach((line, at) => {
    if (line.mark !== " ") near.fill(1, Math.max(0, at - around), at + around + 1);
  });
  const shown = [];
  for (let at = 0; at < all.length; at += 1) {
    if (near[at]) {
      shown.push(all[at]);
      continue;
    }
    let end = at;
    while (end < all.length && !near[end]) end += 1;
    if (end - at > 2) shown.push({ folded: all.slice(at, end) });
    else shown.push(...all.slice(at, end));
    at = end - 1;
  }
  return shown;
}

/** @param {Path} path @returns {string} e.g. `steps[2].title`; a key that is not a plain word is quoted */
export function pathText(path) {
  const text = path.map((part) => {
    const name = typeof part === "number" ? "" : nameText(part);
    return name && name === part ? `.${name}` : `[${name || part}]`;
  });
  return text.join("").replace(/^\./, "") || "(the whole value)";
}

/**
 * Whether two JSON values are the same, whatever the order of keys.
 * @param {unknown} before
 * @param {unknown} after
 */
export function same(before, after) {
  return canonical(before) === canonical(after);
}

/**
 * @param {any} before
 * @param {any} after
 * @param {number} [depth]
 * @returns {Node}
 */
function compare(before, after, depth = 0) {
  if (same(before, after)) return { kind: "same", before, after };
  if (depth >= DEEPEST) return { kind: "changed", before, after };
  if (Array.isArray(before) && Array.isArray(after)) {
    return { kind: "array", before, after, parts: items(before, after, depth + 1) };
  }
  if (isObject(before) && isObject(after)) {
    return { kind: "object", before, after, parts: fields(before, after, depth + 1) };
  }
  const texts = typeof before === "string" && typeof after === "string";
  return { kind: texts && /\n/.test(before + after) ? "text" : "changed", before, after };
}

/**
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 * @param {number} depth
 * @returns {Node[]}
 */
function fields(before, after, depth) {
  const oldKeys = Object.keys(before);
  const fresh = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  return [...oldKeys, ...fresh].map((key) => {
    if (!Object.hasOwn(after, key)) return { kind: "removed", key, before: before[key] };
    if (!Object.hasOwn(before, key)) return { kind: "added", key, after: after[key] };
    return { ...compare(before[key], after[key], depth), key };
  });
}

/**
 * Items with an `id`, `key` or `name` are matched by it; others by equality, then by position.
 * @param {any[]} before
 * @param {any[]} after
 * @param {number} depth
 * @returns {Node[]}
 */
function items(before, after, depth) {
  const name = ["id", "key", "name"].find((word) => names(before, word) && names(after, word));
  const identities = (/** @type {any[]} */ list) => list.map((item) => (name ? item[name] : canonical(item)));
  /** @type {Node[]} */
  const parts = [];
  /** @type {number[]} */
  let gone = [];
  const settle = () => {
    for (const at of gone) parts.push({ kind: "removed", key: at, before: before[at] });
    gone = [];
  };
  for (const pair of align(identities(before), identities(after))) {
    if (pair.after < 0) {
      gone.push(pair.before);
    } else if (pair.before < 0 && gone.length && !name) {
      parts.push({ ...compare(before[Number(gone.shift())], after[pair.after], depth), key: pair.after });
    } else if (pair.before < 0) {
      settle();
      parts.push({ kind: "added", key: pair.after, after: after[pair.after] });
    } else {
      settle();
      parts.push({ ...compare(before[pair.before], after[pair.after], depth), key: pair.after });
    }
  }
  settle();
  return parts;
}

/** @param {any[]} list @param {string} word */
function names(list, word) {
  const seen = new Set(list.map((item) => (isObject(item) && typeof item[word] === "string" ? item[word] : undefined)));
  return list.length > 0 && !seen.has(undefined) && seen.size === list.length;
}

/** @param {Node} node @param {Path} path @param {Change[]} found */
function collect(node, path, found) {
  const here = node.key === undefined ? path : [...path, node.key];
  if (node.parts) node.parts.forEach((part) => collect(part, here, found));
  else if (node.kind === "added") found.push({ path: here, change: "added", after: node.after });
  else if (node.kind === "removed") found.push({ path: here, change: "removed", before: node.before });
  else if (node.kind !== "same") found.push({ path: here, change: "changed", before: node.before, after: node.after });
}

/**
 * Writes a node: `label` is the key before it, `end` the comma behind it.
 * @param {Node} node
 * @param {number} depth
 * @param {string} label
 * @param {string} end
 * @param {Line[]} written
 */
function write(node, depth, label, end, written) {
  if (node.kind === "same") plain(node.after, " ", depth, label, end, written);
  else if (node.kind === "removed") plain(node.before, "-", depth, label, end, written);
  else if (node.kind === "added") plain(node.after, "+", depth, label, end, written);
  else if (node.kind === "text") textLines(node, depth, label, end, written);
  else if (node.parts) {
    const [open, close] = node.kind === "array" ? "[]" : "{}";
    written.push({ mark: " ", depth, text: label + open });
    node.parts.forEach((part, at, all) => {
      const word = node.kind === "array" ? "" : `${JSON.stringify(part.key)}: `;
      write(part, depth + 1, word, at < all.length - 1 ? "," : "", written);
    });
    written.push({ mark: " ", depth, text: close + end });
  } else {
    plain(node.before, "-", depth, label, end, written);
    plain(node.after, "+", depth, label, end, written);
  }
}

/**
 * @param {unknown} value
 * @param {Line["mark"]} mark
 * @param {number} depth
 * @param {string} label
 * @param {string} end
 * @param {Line[]} written
 */
function plain(value, mark, depth, label, end, written) {
  const text = json(value, { indent: 1 });
  text.split("\n").forEach((line, at, all) => {
    const inner = line.length - line.trimStart().length;
    const last = at === all.length - 1;
    written.push({ mark, depth: depth + inner, text: (at ? "" : label) + line.trimStart() + (last ? end : "") });
  });
}

/**
 * A text of several lines is shown line by line, as an editor would.
 * @param {Node} node
 * @param {number} depth
 * @param {string} label
 * @param {string} end
 * @param {Line[]} written
 */
function textLines(node, depth, label, end, written) {
  const before = node.before.split("\n");
  const after = node.after.split("\n");
  written.push({ mark: " ", depth, text: `${label}"""` });
  for (const pair of align(before, after)) {
    const mark = pair.after < 0 ? "-" : pair.before < 0 ? "+" : " ";
    written.push({ mark, depth: depth + 1, text: mark === "-" ? before[pair.before] : after[pair.after], within: true });
  }
  written.push({ mark: " ", depth, text: `"""${end}` });
}

/** @param {unknown} value */
function canonical(value) {
  return value === undefined ? "undefined" : json(value, { sorted: true });
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}
