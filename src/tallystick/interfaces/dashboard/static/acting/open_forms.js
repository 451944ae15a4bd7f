/** Which things have an open form, so that a list keeps their rows while somebody types. */

import { useEffect, useReducer, useRef } from "../html.js";

/** @type {Set<string>} */
const open = new Set();
const listeners = new Set();

/** Note that a form about a thing is open. @param {string} about @param {boolean} isOpen */
export function useOpenForm(about, isOpen) {
  useEffect(() => {
    if (!isOpen) return undefined;
    open.add(about);
    return () => {
      open.delete(about);
      for (const listener of listeners) listener(0);
    };
  }, [about, isOpen]);
}

/**
 * The rows of a list, with those that left it while a form about them is open, where they stood. These are marked `gone`.
 * @template {{action_id: string, undone_by?: string, gone?: boolean}} T
 * @param {T[]} items
 * @returns {T[]}
 */
export function useKeptRows(items) {
  const [, draw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const before = useRef(/** @type {T[]} */ ([]));
  useEffect(() => {
    listeners.add(draw);
    return () => void listeners.delete(draw);
  }, []);
  const shown = [...items];
  before.current.forEach((item, at) => {
    const typed = open.has(item.action_id) || open.has(item.undone_by || "");
    if (typed && !items.some((each) => each.action_id === item.action_id)) shown.splice(at, 0, { ...item, gone: true });
  });
  return (before.current = shown);
}
