/** A keyboard key. */

import { html } from "../html.js";

const PRINTED = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Enter: "⏎" };

/** @param {{keys: string}} props a sequence is written with a space */
export function Kbd({ keys }) {
  return html`<span class="kbd-row">
    ${keys.split(" ").map((key) => html`<kbd class="kbd">${PRINTED[/** @type {keyof typeof PRINTED} */ (key)] || key}</kbd>`)}
  </span>`;
}
