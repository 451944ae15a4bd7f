/** All details of one context key: value, author, sources, expiry and history. */

import { get } from "../api.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { Badge, Button, Diff, Facts, Json, Loading, ProblemNote, Text, Time } from "../ui/index.js";

const HISTORY = 100;

/**
 * The scope of a value, as in the address: `project`, `task:T-17`, `execution:ex_a2v7`.
 * @param {import("../types.js").ContextView} value
 */
export const scopeName = (value) => (value.scope_id ? `${value.scope}:${value.scope_id}` : value.scope);

/**
 * The scope as parameters for the server.
 * @param {string} scopeText
 */
function scopeParams(scopeText) {
  const [scope, ...rest] = scopeText.split(":");
  const id = rest.join(":");
  return { scope, ...(scope === "task" && { task_id: id }), ...(scope === "execution" && { execution_id: id }) };
}

/** @param {{name: string, scopeText: string, onClose: () => void}} props */
export function ContextValue({ name, scopeText, onClose }) {
  const { data, problem, reload } = useLive({ by: [name, scopeText], kinds: ["context_recorded", "body_erased"] }, (signal) =>
    get(`/v1/context/${encodeURIComponent(name)}`, { ...scopeParams(scopeText), limit: HISTORY }, { signal }));
  return html`<aside class="context-value" aria-label=${`Context ${name}`}>
    <header class="context-value-head">
      <h2><code><${Text} text=${name} /></code></h2>
      <${Button} kind="ghost" icon="close" label="Close" onClick=${onClose} />
    </header>
    <${ProblemNote} problem=${problem} retry=${reload} />
    ${!data ? !problem && html`<${Loading} />` : html`<${Newest} value=${data.values[0]} /><${Before} values=${data.values} />`}
  </aside>`;
}

/** @param {{value: import("../types.js").ContextView}} props */
function Newest({ value }) {
  return html`
    ${value.erased
      ? html`<p class="note"><${Icon} name="cancelled" /> Its text was erased. The entry remains.</p>`
      : value.altered
      ? html`<p class="note"><${Icon} name="warning" /> Its stored text was altered and is not shown.</p>`
      : html`<${Json} value=${value.value ?? null} label="value" whole />`}
    <${Facts} rows=${[
      ["scope", html`<${Scope} value=${value} />`],
      ["type", value.type],
      ["written by", value.actor && html`<${Text} text=${value.actor} />`],
      ["when", html`<${Time} at=${value.at} />`],
      ["entry", html`<span class="num">${value.seq}</span>`],
      ["holds until", value.expires && html`<${Until} value=${value} />`],
      ["derived from", value.derived_from?.length ? html`<${Sources} handles=${value.derived_from} />` : ""],
    ]} />
    ${value.metadata ? html`<h3>Metadata</h3><${Json} value=${value.metadata} label="metadata" />` : null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`;
}

/** @param {{value: import("../types.js").ContextView}} props */
export function Scope({ value }) {
  const id = value.scope_id || "";
  if (value.scope === "execution") return html`execution <a href=${link(`/x/${encodeURIComponent(id)}`)}><code>${id}</code></a>`;
  if (value.scope === "task") return html`task <a href=${link("/executions", { q: `task:${id}` })}>${id}</a>`;
  return value.scope;
}

/** @param {{value: import("../types.js").ContextView}} props */
export function Until({ value }) {
  if (!value.expires) return html`<span class="faint">for good</span>`;
  if (value.expired) return html`<${Badge} tone="idle" icon="late">expired<//>`;
  return html`<${Time} at=${value.expires} form="absolute" />`;
}

/** @param {{handles: string[]}} props */
function Sources({ handles }) {
  return handles.map((handle, at) => html`${at ? ", " : ""}${
    handle.startsWith("ex_") ? html`<a href=${link(`/x/${encodeURIComponent(handle)}`)}><code>${handle}</code></a>`
    : handle.startsWith("pl_") ? html`<a href=${link(`/plans/${encodeURIComponent(handle)}`)}><code>${handle}</code></a>`
    : handle.startsWith("ap_") ? html`<a href=${link(`/approvals/${encodeURIComponent(handle)}`)}><code>${handle}</code></a>`
    : html`<code>${handle}</code>`}`);
}

/** @param {{values: import("../types.js").ContextView[]}} props the newest first */
function Before({ values }) {
  const [open, setOpen] = useState(1);
  if (values.length < 2) return html`<p class="soft">Written once: there is no history.</p>`;
  return html`<h3>History <span class="faint">${values.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${values.map((value, at) => html`<li key=${value.seq}>
        <button type="button" class="version" aria-expanded=${String(open === at)} onClick=${() => setOpen(open === at ? -1 : at)}>
          <${Icon} name=${open === at ? "down" : "right"} size=${14} />
          <span>${at === 0 ? "now" : html`<${Time} at=${value.at} />`}</span>
          <span class="soft cut"><${Text} text=${value.actor} /></span>
          <span class="faint num">entry ${value.seq}</span>
        </button>
        ${open === at && html`<${Version} value=${value} before=${values[at + 1]} />`}
      </li>`)}
    </ol>`;
}

/** @param {{value: import("../types.js").ContextView, before?: import("../types.js").ContextView}} props */
function Version({ value, before }) {
  if (value.erased) return html`<p class="note">Its text was erased.</p>`;
  if (value.altered) return html`<p class="note">Its stored text was altered and is not shown.</p>`;
  if (!before || before.erased || before.altered) return html`<${Json} value=${value.value ?? null} label="value" />`;
  return html`<${Diff} before=${before.value} after=${value.value} titles=${["before", "after"]} />`;
}
