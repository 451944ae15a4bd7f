/** `<tallystick-log>`: the newest entries of one execution, or of the journal. */

import { html } from "../html.js";
import { Empty, Text, Time, Witness } from "../ui/index.js";
import { TallystickElement } from "./element.js";

const MAX_ENTRIES = 100;
const TEXTS = ["summary", "why", "question", "answer", "title", "error", "reason", "key"];
/** The texts of a body that say what an entry is about, the first of them that there is. */

/** Reports the selected entry by an event `tallystick-selected` whose detail is `{id, seq}`. */
export class TallystickLog extends TallystickElement {
  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    return source.get("/v1/entries", { execution_id: this.execution, newest_first: true, limit: MAX_ENTRIES }, signal);
  }

  /** @param {any} entry */
  isRelevant(entry) {
    return !this.execution || entry.execution_id === this.execution || entry.kind === "body_erased";
  }

  /** @param {any} page */
  draw({ entries }) {
    const choose = (/** @type {any} */ { id, seq }) => this.dispatchEvent(new CustomEvent("tallystick-selected", { detail: { id, seq }, bubbles: true, composed: true }));
    if (!entries.length) return html`<${Empty} icon="journal" title="No entries yet." />`;
    return html`<ol class="embedded-log" tabindex="0" aria-label="Entries, the newest first">${entries.map((/** @type {any} */ entry) => html`<li key=${entry.seq}>
      <span class="num faint">${entry.seq}</span>
      <div><button type="button" class="row-button" onClick=${() => choose(entry)}>${entry.kind.replaceAll("_", " ")}</button> <${Text} text=${textOf(entry)} />
        <p class="faint"><${Text} text=${entry.actor} /> <${Witness} witness=${entry.witness} /> <${Time} at=${entry.at} /></p></div>
    </li>`)}</ol>`;
  }
}

/** @param {any} entry */
function textOf({ body = {}, facts = {}, erased }) {
  if (erased) return "its text was erased";
  const found = TEXTS.map((name) => body?.[name]).find((text) => typeof text === "string" && text);
  return found || facts.tool || facts.outcome || "";
}
