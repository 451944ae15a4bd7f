/** Shows a call that is to be approved: what is dangerous first, long lists in short, and nothing left out unsaid. */

import { html, useId, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Exact } from "../json/exact_number.js";
import { write } from "../json/serializer.js";
import { Cancellable } from "../plans/steps.js";
import { undoOf } from "../plans/words.js";
import { Copy, Json, Panel, Text } from "../ui/index.js";
import { Leaf } from "../ui/json.js";
import { TextLines } from "../ui/text.js";
import { nameText } from "../ui/visible.js";
import { callFields, columnsOf, filledUndo, isLong, summaryOf } from "./call_fields.js";

const SHOWN = 8;
/** Items of a long list that are shown at first. */

/** @param {{approval: import("../types.js").ApprovalView}} props */
export function Call({ approval }) {
  const args = approval.arguments;
  const empty = args === undefined || args === null || !Object.keys(args).length;
  return html`<${Panel} class="call" level=${3} actions=${approval.cancellable && html`<${Cancellable} step=${approval} />`} title=${html`${approval.unbound ? "A call of" : "Exactly this call:"} <code><${Text} text=${approval.tool || "unnamed tool"} /></code>`}>
    ${empty ? html`<p class="soft">No arguments.</p>` : html`<${Arguments} value=${args} />`}
    <${CallUndo} approval=${approval} />
    ${approval.digest && !approval.edited && html`<p class="soft digest">An answer is bound to this call by its digest <code>${approval.digest.slice(0, 16)}…</code><${Copy} text=${approval.digest} what="the digest" /></p>`}
  <//>`;
}

/** All arguments of a call. @param {{value: any}} props */
export function Arguments({ value }) {
  const { first, plain, lists, nested } = callFields(value);
  const masked = write(value).includes("[masked:");
  return html`<div class="call-arguments" role="group" aria-label="Arguments">
    ${first.length ? html`<div class="call-first"><h4>Check first</h4><${Fields} fields=${first} /></div>` : null}
    ${plain.length ? html`<${Fields} fields=${plain} />` : null}
    ${nested.map(([name, each]) => html`<div class="call-part" key=${name}><h4><code><${Text} text=${nameText(name)} /></code></h4><${Json} value=${each} label=${name} whole /></div>`)}
    ${lists.map(([name, list]) => html`<${List} key=${name} name=${name} list=${list} />`)}
    ${masked && html`<p class="note"><${Icon} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${Whole} value=${value} />
  </div>`;
}

/** @param {{fields: import("./call_fields.js").Field[]}} props */
function Fields({ fields }) {
  return html`<dl class="call-fields">
    ${fields.map(({ path, value, danger, note }) => html`<div key=${path.join(".")} class=${danger === "switch" ? "call-field is-switch" : "call-field"}>
      <dt><code><${Text} text=${path.map(nameText).join(".")} /></code></dt>
      <dd><${Leaf} value=${value} />${note && html` <span class="call-note"><${Icon} name="warning" size=${14} /> ${note}</span>`}</dd>
    </div>`)}
  </dl>`;
}

/** A list: whole if it is short, else in short with a filter. @param {{name: string, list: unknown[]}} props */
function List({ name, list }) {
  const [filter, setFilter] = useState("");
  const [whole, setWhole] = useState(false);
  const id = useId();
  const long = isLong(list);
  const found = list.map((value, at) => ({ value, at })).filter(({ value }) => !filter || textOf(value).includes(filter.toLowerCase()));
  const shown = whole || !long ? found : found.slice(0, SHOWN);
  const columns = columnsOf(list);
  const hidden = found.length - shown.length;
  return html`<section class="call-part call-list" aria-labelledby=${id}>
    <h4 id=${id}><code><${Text} text=${nameText(name)} /></code> <span class="call-count">${list.length} ${list.length === 1 ? "item" : "items"}</span></h4>
    ${long && html`<${Summary} list=${list} columns=${columns} />`}
    ${long && html`<label class="call-filter"><span class="visually-hidden">Filter ${name}</span>
      <input type="search" placeholder=${`Filter the ${list.length} items`} value=${filter} onInput=${(/** @type {any} */ event) => setFilter(event.target.value)} /></label>`}
    ${columns.length ? html`<${Rows} name=${name} rows=${shown} columns=${columns} />` : html`<${Items} rows=${shown} />`}
    ${long && html`<p class="call-more" role="status">
      ${filter ? `${found.length} of ${list.length} match. ` : ""}${hidden > 0 ? html`<strong>${hidden} more ${hidden === 1 ? "item is" : "items are"} not shown.</strong> ` : `All ${found.length} are shown.`}
      ${hidden > 0 && html`<button type="button" class="button button-plain" onClick=${() => setWhole(true)}>Show all ${found.length}</button>`}
    </p>`}
  </section>`;
}

/** @param {unknown} value */
const textOf = (value) => (typeof value === "string" ? value : write(value)).toLowerCase();

/** @param {{list: any[], columns: string[]}} props */
function Summary({ list, columns }) {
  if (!columns.length) return html`<p class="call-summary"><${Text} text=${summaryOf(list)} /></p>`;
  return html`<dl class="call-summary">${columns.map((name) => {
    const values = list.filter((each) => Object.hasOwn(each, name)).map((each) => each[name]);
    const missing = list.length - values.length;
    return html`<div key=${name}><dt><code><${Text} text=${nameText(name)} /></code></dt><dd><${Text} text=${`${summaryOf(values)}${missing ? `, missing in ${missing}` : ""}`} /></dd></div>`;
  })}</dl>`;
}

/** @param {{name: string, rows: {value: any, at: number}[], columns: string[]}} props */
function Rows({ name, rows, columns }) {
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${name}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${columns.map((each) => html`<th scope="col"><code><${Text} text=${nameText(each)} /></code></th>`)}</tr></thead>
      <tbody>${rows.map(({ value, at }) => html`<tr key=${at}><th scope="row" class="num">${at + 1}</th>
        ${columns.map((each) => html`<td>${Object.hasOwn(value, each) ? html`<${Value} value=${value[each]} />` : html`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}

/** @param {{rows: {value: any, at: number}[]}} props */
function Items({ rows }) {
  return html`<ol class="call-items">${rows.map(({ value, at }) => html`<li key=${at}><span class="faint num">${at + 1}</span> <${Value} value=${value} /></li>`)}</ol>`;
}

/** @param {{value: any}} props */
function Value({ value }) {
  const nested = typeof value === "object" && value !== null && !(value instanceof Exact);
  return nested ? html`<code class="call-json"><${TextLines} text=${write(value)} /></code>` : html`<${Leaf} value=${value} />`;
}

/** The whole call as it is bound. @param {{value: any}} props */
function Whole({ value }) {
  const [open, setOpen] = useState(false);
  const text = write(value, { indent: 2 });
  return html`<details class="call-whole" onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
    <summary>All arguments as JSON <span class="faint">${text.length} characters</span></summary>
    ${open && html`<pre class="text" tabindex="0"><${TextLines} text=${text} /></pre>`}
  </details>`;
}

/** How the call can be undone, with its arguments filled in. @param {{approval: import("../types.js").ApprovalView}} props */
function CallUndo({ approval }) {
  if (!approval.cancellable) return null;
  const { undo, waits } = filledUndo(approval.undo, approval.arguments);
  const way = undoOf(undo);
  return html`<div class="call-undo">
    <p>${approval.cancellable === "irreversible" ? html`<span class="soft">It cannot be undone.</span>` : way ? html` <span class="soft">To undo it:</span> <${Text} text=${way.words} />${way.tool && html` <code><${Text} text=${way.tool} /></code>`}` : html` <span class="soft">No undo is recorded.</span>`}</p>
    ${way?.tool && way.arguments && Object.keys(way.arguments).length ? html`<${Json} value=${way.arguments} label="arguments of the undo" whole />` : null}
    ${waits && html`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`;
}
