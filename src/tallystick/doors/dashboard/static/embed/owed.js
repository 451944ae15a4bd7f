/** `<tallystick-owed>`: what was done, or may have been, and is not yet undone, in the order to undo it. */

import { html } from "../html.js";
import { Status } from "../ui/badge.js";
import { Json } from "../ui/json.js";
import { Empty } from "../ui/panel.js";
import { Time } from "../ui/time.js";
import { TallystickElement } from "./element.js";

const MOST = 100;

export class TallystickOwed extends TallystickElement {
  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    return source.get("/v1/owed", { execution_id: this.execution, limit: MOST }, signal);
  }

  /** @param {any} entry */
  matters(entry) {
    return entry.kind.startsWith("action_") || entry.kind === "session_ended";
  }

  /** @param {{owed: any[], due: number, next_cursor?: string}} page */
  draw({ owed, due, next_cursor: more }) {
    if (!owed.length) return html`<${Empty} icon="check" title="Nothing is owed." />`;
    return html`<p class="soft">${due} can still be undone. They are listed in the order to undo them; nothing is undone by itself.</p>
      <ol class="embedded-list" aria-label="Owed, in the order to undo it">
        ${owed.map((item) => html`<li key=${item.action_id}><${Debt} item=${item} /></li>`)}
      </ol>
      ${more && html`<p class="soft">And more than these ${MOST}.</p>`}`;
  }
}

/** @param {{item: any}} props */
function Debt({ item }) {
  const undo = item.undo;
  return html`<article class="embedded-card">
    <p class="question-line"><${Status} state=${item.state} /><code class="soft">${item.action_id}</code>
      ${item.deadline && html`<span class="soft">until <${Time} at=${item.deadline} form="absolute" /></span>`}</p>
    <h3>${item.summary || item.tool || item.action_id}</h3>
    ${item.certain === false && html`<p class="soft">Nobody knows whether it happened: look first.</p>`}
    ${undo ? html`<p>${undo.words}${undo.tool && html` <code>${undo.tool}</code>`}</p>
        ${undo.arguments && Object.keys(undo.arguments).length ? html`<${Json} value=${undo.arguments} label="arguments of the undo" whole />` : null}`
      : html`<p class="soft">${item.way || "The way to undo it is unknown."}</p>`}
  </article>`;
}
