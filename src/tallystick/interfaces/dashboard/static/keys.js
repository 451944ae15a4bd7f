/** Shortcuts: whoever shows something says which keys work on it, and `?` shows them all. */

import { useEffect, useRef, useState } from "./html.js";

const PATIENCE = 900;
/** Milliseconds between the two keys of a sequence such as `g a`. */

/** @typedef {{says: string, run: (event: KeyboardEvent) => void, typing?: boolean}} Shortcut */
/** @typedef {{group: string, keys: Record<string, Shortcut>}} Shortcuts */

/** @type {{current: Shortcuts}[]} */
const stack = [];
let pending = "";
let timer = /** @type {any} */ (0);
const watchers = new Set();
const readers = new Set();

/**
 * Keys that work while this is on the screen; the newest wins. A key of two parts is written with a space.
 * @param {string} group
 * @param {Record<string, Shortcut | false | null | undefined>} keys
 */
export function useKeys(group, keys) {
  const held = useRef(/** @type {Shortcuts} */ ({ group, keys: {} }));
  held.current = { group, keys: /** @type {Record<string, Shortcut>} */ (without(keys)) };
  useEffect(() => {
    stack.push(held);
    changed();
    return () => {
      stack.splice(stack.indexOf(held), 1);
      changed();
    };
  }, []);
}

function changed() {
  for (const reader of readers) reader(Symbol("keys"));
}

/** @param {Record<string, Shortcut | false | null | undefined>} keys */
function without(keys) {
  return Object.fromEntries(Object.entries(keys).filter(([, shortcut]) => shortcut));
}

/** Everything that works now, drawn anew as that changes. */
export function useShortcuts() {
  const [, redraw] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    readers.add(redraw);
    return () => void readers.delete(redraw);
  }, []);
  return shortcuts();
}

/** Everything that works now, as groups in the order in which they came; a key that was taken over shows once. */
function shortcuts() {
  /** @type {Map<string, Record<string, string>>} */
  const groups = new Map();
  for (const { current } of stack) {
    const shown = groups.get(current.group) || {};
    for (const [key, shortcut] of Object.entries(current.keys)) shown[key] = shortcut.says;
    groups.set(current.group, shown);
  }
  return [...groups].map(([group, keys]) => ({ group, keys: Object.entries(keys) }));
}

/** The first key of a sequence that waits for its second. */
export function usePending() {
  const [key, set] = useState(pending);
  useEffect(() => {
    watchers.add(set);
    return () => void watchers.delete(set);
  }, []);
  return key;
}

/** @param {string} key */
function become(key) {
  pending = key;
  for (const watcher of watchers) watcher(key);
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))
  );
}

/**
 * Whether the key presses what has the focus: a button or a link keeps its own Enter.
 * @param {KeyboardEvent} event
 */
function isPressed(event) {
  return event.target instanceof HTMLElement && event.target.matches("a[href], button, summary, input, [role=option]");
}

/** @param {string} key */
function found(key) {
  for (let place = stack.length - 1; place >= 0; place -= 1) {
    const shortcut = stack[place].current.keys[key];
    if (shortcut) return shortcut;
  }
  return null;
}

/** Begin to listen; the page does it once. */
export function startKeys() {
  document.addEventListener("keydown", pressed);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.defaultPrevented || event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return;
  const named = event.key === " " ? "Space" : event.key;
  if ((named === "Enter" || named === "Space") && isPressed(event)) return;
  const shortcut = (pending && found(`${pending} ${named}`)) || found(named);
  clearTimeout(timer);
  if (shortcut && (!isTyping(event) || shortcut.typing)) {
    become("");
    event.preventDefault();
    shortcut.run(event);
    return;
  }
  const begins = (/** @type {string} */ key) => key.startsWith(`${named} `);
  const opens = !isTyping(event) && stack.some(({ current }) => Object.keys(current.keys).some(begins));
  become(opens ? named : "");
  if (opens) timer = setTimeout(() => become(""), PATIENCE);
}
