/** One execution. */

import { html } from "../html.js";

/** @param {{id: string}} props */
export function Page({ id }) {
  return html`<div class="page"><h1>${id}</h1></div>`;
}
