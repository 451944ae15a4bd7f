/** `<tallystick-context>`: the context values of one execution, or those of the project. */

import { html } from "../html.js";
import { Empty, Json, Text, Time } from "../ui/index.js";
import { TallystickElement } from "./element.js";

const MAX_VALUES = 100;

export class TallystickContext extends TallystickElement {
  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    const scope = this.execution ? { scope: "execution", execution_id: this.execution } : { scope: "project" };
    return source.get("/v1/context", { ...scope, limit: MAX_VALUES }, signal);
  }

  /** @param {any} entry */
  isRelevant(entry) {
    return ["context_recorded", "body_erased"].includes(entry.kind);
  }

  /** @param {any} page */
  draw({ values }) {
    if (!values.length) return html`<${Empty} icon="context" title="No context values yet." />`;
    return html`<ul class="embedded-list" aria-label="Context values">${values.map((/** @type {any} */ value) => html`<li key=${value.key}><article class="embedded-card">
      <p class="embedded-head"><code><${Text} text=${value.key} /></code> <span class="faint"><${Text} text=${value.actor || ""} /> <${Time} at=${value.at} /></span></p>
      ${value.erased || value.altered ? html`<p class="soft">${value.erased ? "Its text was erased." : "Its stored text was altered and is not shown."}</p>` : html`<${Json} value=${value.value ?? null} label=${value.key} />`}
    </article></li>`)}</ul>`;
  }
}
