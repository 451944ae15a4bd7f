/** Short words about what was just done, said politely and gone by themselves. */

import { html, useEffect, useState } from "../html.js";

const SHOWN = 5000;
/** @type {{id: number, text: string, tone: string}[]} */
let toasts = [];
let count = 0;
const listeners = new Set();

/**
 * Say something in passing.
 * @param {string} text
 * @param {"plain" | "ok" | "failed"} [tone]
 */
export function say(text, tone = "plain") {
  const id = (count += 1);
  become([...toasts, { id, text, tone }]);
  setTimeout(() => become(toasts.filter((each) => each.id !== id)), SHOWN);
}

/** @param {typeof toasts} next */
function become(next) {
  toasts = next;
  for (const listener of listeners) listener(next);
}

export function Toasts() {
  const [shown, set] = useState(toasts);
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${shown.map((each) => html`<p key=${each.id} class=${`toast tone-${each.tone}`}>${each.text}</p>`)}
  </div>`;
}
