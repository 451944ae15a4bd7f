/** Short messages that disappear by themselves. */

import { html, useEffect, useState } from "../html.js";

const SHOWN_MILLISECONDS = 5000;
/** @type {{id: number, text: string, tone: string}[]} */
let toasts = [];
let count = 0;
const listeners = new Set();

/**
 * Show a message.
 * @param {string} text
 * @param {"plain" | "ok" | "failed"} [tone]
 */
export function say(text, tone = "plain") {
  const id = (count += 1);
  setToasts([...toasts, { id, text, tone }]);
  setTimeout(() => setToasts(toasts.filter((each) => each.id !== id)), SHOWN_MILLISECONDS);
}

/** @param {typeof toasts} next */
function setToasts(next) {
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
