/** Shows text of models and tools: invisible characters are marked, and its direction does not affect other text. */

import { html } from "../html.js";
import { beginning, visible } from "./visible.js";

/** @param {{text?: string | null}} props */
export function Text({ text }) {
  return text ? html`<bdi class="written"><${Visible} text=${text} /></bdi>` : null;
}

/** The same without an element. @param {{text: string}} props */
export function Visible({ text }) {
  return visible(text).map((piece) => (typeof piece === "string" ? piece : html`<span class="unseen" title=${piece.title}>${piece.mark}</span>`));
}

/** For elements that keep white space and line breaks. @param {{text: string}} props */
export function TextLines({ text }) {
  return text.split("\n").map((line, at) => html`${at ? "\n" : ""}<${Visible} text=${line} />`);
}

/**
 * A text as a value: in quotes, so that "5" is not 5; with line breaks, as a block with a rule.
 * `cut` is the number of characters shown.
 * @param {{text: string, cut?: number}} props
 */
export function TextValue({ text, cut = text.length }) {
  const shown = beginning(text, cut);
  if (!text.includes("\n")) return html`<bdi class="json-string">"<${Visible} text=${shown.replaceAll(/["\\]/g, "\\$&").replaceAll("\t", "\\t")} />${cut < text.length ? "" : '"'}</bdi>`;
  const lines = shown.split("\n");
  return html`<span class="json-brace">text, ${text.split("\n").length} lines</span><span class="json-block">${lines.map(
    (line, at) => html`<bdi class="json-text"><${Visible} text=${line} />${at < lines.length - 1 && html`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`,
  )}</span>`;
}
