/** Keyboard shortcuts: components register keys, and `?` shows all of them. */

import { useEffect, useRef, useState } from "./html.js";
import { say } from "./ui/toast.js";

const SEQUENCE_MILLISECONDS = 900;
/** The longest time between the two keys of a sequence such as `g a`. */
const PAUSE_MILLISECONDS = 1500;
/** After this time without a key, a person whose field went away has noticed. */

/** @typedef {{label: string, run: (event: KeyboardEvent) => void, typing?: boolean}} Shortcut */
/** @typedef {{group: string, keys: Record<string, Shortcut>}} Shortcuts */

/** @type {{current: Shortcuts}[]} */
const stack = [];
let pending = "";
let timer = /** @type {any} */ (0);
const watchers = new Set();
const readers = new Set();

/**
 * Register keys while a component is mounted; the newest wins. A sequence is written with a space.
 * @param {string} group
 * @param {Record<string, Shortcut | false | null | undefined>} keys
 */
export function useKeys(group, keys) {
  const entry = useRef(/** @type {Shortcuts} */ ({ group, keys: {} }));
  entry.current = { group, keys: /** @type {Record<string, Shortcut>} */ (withoutEmpty(keys)) };
  useEffect(() => {
    stack.push(entry);
    changed();
    return () => {
      stack.splice(stack.indexOf(entry), 1);
      changed();
    };
  }, []);
}

function changed() {
  for (const reader of readers) reader(Symbol("keys"));
}

/** @param {Record<string, Shortcut | false | null | undefined>} keys */
function withoutEmpty(keys) {
  return Object.fromEntries(Object.entries(keys).filter(([, shortcut]) => shortcut));
}

/** All active shortcuts; a change redraws the component. */
export function useShortcuts() {
  const [, redraw] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    readers.add(redraw);
    return () => void readers.delete(redraw);
  }, []);
  return shortcuts();
}

/** All active shortcuts in groups, in the order of registration; an overridden key shows once. */
function shortcuts() {
  /** @type {Map<string, Record<string, string>>} */
  const groups = new Map();
  for (const { current } of stack) {
    const shown = groups.get(current.group) || {};
    for (const [key, shortcut] of Object.entries(current.keys)) shown[key] = shortcut.label;
    groups.set(current.group, shown);
  }
  return [...groups].map(([group, keys]) => ({ group, keys: Object.entries(keys) }));
}

/** The first key of a sequence, while the second is awaited. */
export function usePending() {
  const [key, set] = useState(pending);
  useEffect(() => {
    watchers.add(set);
    return () => void watchers.delete(set);
  }, []);
  return key;
}

/** @param {string} key */
function setPending(key) {
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
 * Whether the focused element handles the key itself: a button or a link keeps its own Enter.
 * @param {KeyboardEvent} event
 */
function isPressed(event) {
  return event.target instanceof HTMLElement && event.target.matches("a[href], button, summary, input, [role=option]");
}

/** @param {string} key */
function findShortcut(key) {
  for (let index = stack.length - 1; index >= 0; index -= 1) {
    const shortcut = stack[index].current.keys[key];
    if (shortcut) return shortcut;
  }
  return null;
}

/** Start to listen; the page calls it once. */
export function startKeys() {
  document.addEventListener("keydown", guardTyping, true);
  document.addEventListener("keyup", (event) => typing && !isTyping(event) && event.key === " " && event.preventDefault(), true); // would press a button
  document.addEventListener("pointerdown", () => (typing = false), true);
  document.addEventListener("keydown", pressed);
}

/** Whether the last key was text in a field. If the field goes away by itself, the keys that follow are text too. */
let typing = false;
let dropped = 0;
/** When such a key was dropped last; 0 if none was. */

/** Drops text that was meant for a field that went away, until the person acts anew. @param {KeyboardEvent} event */
function guardTyping(event) {
  if (isTyping(event)) {
    typing = isText(event);
    dropped = 0;
  }
  if (!typing || isTyping(event)) return;
  const paused = dropped > 0 && event.timeStamp - dropped > PAUSE_MILLISECONDS;
  if (paused || event.key === "Tab" || event.key === "Escape") typing = false;
  else if (isText(event) || event.key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    if (!dropped) say("The field in which you typed is gone. Shortcuts wait until you stop typing.");
    dropped = event.timeStamp;
  }
}

/** Whether the key writes in a field; Enter does in a field of several lines. @param {KeyboardEvent} event */
function isText({ key, target, ctrlKey, metaKey }) {
  if (key === "Enter") return target instanceof HTMLTextAreaElement && !ctrlKey && !metaKey;
  return (key.length === 1 && !ctrlKey && !metaKey) || key === "Backspace" || key === "Dead" || key === "Process";
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const named = (event.metaKey || event.ctrlKey ? "Ctrl+" : "") + (event.key === " " ? "Space" : event.key);
  if ((named === "Enter" || named === "Space") && isPressed(event)) return;
  const shortcut = (pending && findShortcut(`${pending} ${named}`)) || findShortcut(named);
  clearTimeout(timer);
  if (shortcut && (!isTyping(event) || shortcut.typing)) {
    setPending("");
    event.preventDefault();
    shortcut.run(event);
    return;
  }
  const begins = (/** @type {string} */ key) => key.startsWith(`${named} `);
  const opens = !isTyping(event) && stack.some(({ current }) => Object.keys(current.keys).some(begins));
  setPending(opens ? named : "");
  if (opens) timer = setTimeout(() => setPending(""), SEQUENCE_MILLISECONDS);
}
