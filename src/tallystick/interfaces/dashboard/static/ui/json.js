/** Shows a JSON value as a folding tree or as text. Models and tools wrote it, so it is shown as text only. */

import { html, useState } from "../html.js";
import { Exact } from "../json/exact_number.js";
import { write } from "../json/serializer.js";
import { Choice } from "./button.js";
import { Copy } from "./copy.js";
import { Visible, TextLines, TextValue } from "./text.js";
import { beginning, nameText } from "./visible.js";

const LONG = 400;
/** Characters of a text that are shown at first. */
const MANY = 100;
/** Members of a list or an object that are shown at first. */
const OPEN_DEPTH = 2;
const SHORT = 160;
/** Characters: a shorter value needs no choice between tree and text. */

/**
 * @param {{value: unknown, label?: string, raw?: boolean, whole?: boolean}} props `whole` opens every level
 */
export function Json({ value, label = "value", raw = false, whole = false }) {
  const [form, setForm] = useState(raw ? "raw" : "tree");
  const nested = isNested(value);
  const long = nested && pretty(value).length > SHORT;
  return html`<div class="json">
    <div class="json-tools">
      ${long && html`<${Choice} label=${`How ${label} is shown`} value=${form} choices=${["tree", "raw"]} onChange=${setForm} />`}
      <${Copy} text=${typeof value === "string" ? value : pretty(value)} what=${label} />
    </div>
    ${form === "raw" || !nested
      ? html`<${LongText} text=${typeof value === "string" ? value : pretty(value)} />`
      : html`<div class=${long ? "json-tree" : "json-tree json-short"}><${Root} value=${value} whole=${whole} /></div>`}
  </div>`;
}

/** @param {unknown} value */
export const pretty = (value) => (value === undefined ? "" : write(value, { indent: 2 }));

/** @param {unknown} value */
const isNested = (value) => typeof value === "object" && value !== null && !(value instanceof Exact);

/**
 * A text with its line breaks; a very long one is shown in part.
 * @param {{text: string}} props
 */
export function LongText({ text }) {
  const [whole, show] = useState(false);
  const cut = !whole && text.length > LONG * 10;
  return html`<pre class="text" tabindex="0"><${TextLines} text=${cut ? beginning(text, LONG * 10) : text} />${cut &&
  html`<button type="button" class="more" onClick=${() => show(true)}>… ${text.length - LONG * 10} characters more</button>`}</pre>`;
}

/** The members of the outermost value. @param {{value: any, whole: boolean}} props */
function Root({ value, whole }) {
  const members = Object.entries(value);
  const depth = whole ? -Infinity : 0;
  if (!members.length || Array.isArray(value)) return html`<${Node} value=${value} depth=${depth} />`;
  return html`<${Members} members=${members} depth=${depth} flat />`;
}

/**
 * @param {{name?: string, value: any, depth: number}} props `name` as it is shown
 */
function Node({ name, value, depth }) {
  const label = name === undefined ? null : html`<bdi class="json-key"><${Visible} text=${name} /></bdi>`;
  if (!isNested(value)) {
    return html`<div class="json-line">${label}<${Leaf} value=${value} /></div>`;
  }
  const list = Array.isArray(value);
  const members = Object.entries(value);
  if (!members.length) return html`<div class="json-line">${label}<span class="json-brace">${list ? "[ ]" : "{ }"}</span></div>`;
  const count = `${members.length} ${list ? (members.length === 1 ? "item" : "items") : members.length === 1 ? "field" : "fields"}`;
  return html`<details class="json-node" open=${depth < OPEN_DEPTH}>
    <summary>${label}<span class="json-brace">${list ? "[…]" : "{…}"} ${count}</span></summary>
    <${Members} members=${members} depth=${depth} list=${list} />
  </details>`;
}

/** @param {{members: [string, any][], depth: number, flat?: boolean, list?: boolean}} props */
function Members({ members, depth, flat = false, list = false }) {
  const [limit, setMost] = useState(MANY);
  return html`<div class=${flat ? null : "json-members"}>
    ${members.slice(0, limit).map(([key, each]) => html`<${Node} key=${key} name=${list ? key : nameText(key)} value=${each} depth=${depth + 1} />`)}
    ${members.length > limit &&
    html`<button type="button" class="more" onClick=${() => setMost(limit * 10)}>… ${members.length - limit} more</button>`}
  </div>`;
}

/** A value without members. Text is in quotes or in a block, so that it cannot look like another type. @param {{value: any}} props */
export function Leaf({ value }) {
  const [whole, show] = useState(false);
  if (typeof value !== "string") return html`<span class=${`json-${value === null ? "null" : value instanceof Exact ? "number" : typeof value}`}>${String(value)}</span>`;
  const cut = !whole && value.length > LONG;
  return html`<${TextValue} text=${value} cut=${cut ? LONG : value.length} />${cut &&
  html`<button type="button" class="more" onClick=${() => show(true)}>… ${value.length - LONG} more</button>`}`;
}
