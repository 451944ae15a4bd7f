/** The page Context: values that agents store under keys for later sessions. */

import { get } from "../api.js";
import { ContextValue, Scope, Until, scopeName } from "../context/value.js";
import { html, useState } from "../html.js";
import { write } from "../json/serializer.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { link, setQuery } from "../router.js";
import { Badge, Button, Choice, Empty, Loading, Panel, ProblemNote, SearchBox, Table, Text, Time } from "../ui/index.js";

const PAGE = 100;
const SCOPES = /** @type {[string, string][]} */ ([["", "all"], ["project", "project"], ["task", "task"], ["execution", "execution"]]);

/** @typedef {import("../types.js").ContextView} Value */

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const [text, scope, type, old] = ["text", "scope", "type", "expired"].map((name) => query.get(name) || "");
  const [name, scopeText] = [query.get("key") || "", query.get("at") || "project"];
  const [pages, setPages] = useState(1);
  const list = useLive({ by: [text, scope, type, old, pages], kinds: ["context_recorded", "body_erased"] }, (signal) =>
    load({ text, scope, type, include_expired: Boolean(old) }, pages, signal));
  const values = list.data?.values ?? [];
  const at = values.findIndex((value) => value.key === name && scopeName(value) === scopeText);
  const open = (/** @type {Value | undefined} */ value) => value && setQuery({ key: value.key, at: scopeName(value) }, { replace: Boolean(name) });
  const close = () => setQuery({ key: "", at: "" });
  useKeys("Context", {
    j: { label: "next key", run: () => open(values[Math.min(at + 1, values.length - 1)]) },
    k: { label: "previous key", run: () => open(values[Math.max(at - 1, 0)]) },
    Escape: Boolean(name) && { label: "close it", run: close },
  });
  const filtered = Boolean(text || scope || type || old);

  return html`<div class=${`page context ${name ? "has-detail" : ""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${SearchBox} label="Search keys and values" placeholder="Search keys and values" value=${text} onChange=${(/** @type {string} */ value) => setQuery({ text: value }, { replace: true })} />
      <${Choice} label="Scope" value=${scope} choices=${SCOPES} onChange=${(/** @type {string} */ value) => setQuery({ scope: value })} />
      ${type && html`<${Button} icon="close" onClick=${() => setQuery({ type: "" })}>type ${type}<//>`}
      <label class="check"><input type="checkbox" checked=${Boolean(old)} onChange=${(/** @type {any} */ event) => setQuery({ expired: event.target.checked ? "1" : "" })} /> show expired</label>
    </div>
    <${ProblemNote} problem=${list.problem} retry=${list.reload} />
    <div class="beside">
      ${!list.data
        ? !list.problem && html`<${Loading} />`
        : values.length
          ? html`<${Panel} flush><${Keys} values=${values} chosen=${at} onOpen=${open} />
              ${list.data.more && html`<div class="more-row"><${Button} onClick=${() => setPages(pages + 1)}>Show more<//></div>`}<//>`
          : html`<${Panel}><${Nothing} filtered=${filtered} /><//>`}
      ${name && html`<${ContextValue} key=${name + scopeText} name=${name} scopeText=${scopeText} onClose=${close} />`}
    </div>
  </div>`;
}

/**
 * @param {Record<string, unknown>} filters
 * @param {number} pages
 * @param {AbortSignal} signal
 */
async function load(filters, pages, signal) {
  /** @type {Value[]} */
  const values = [];
  let cursor = "";
  for (let page = 0; page < pages; page += 1) {
    const response = await get("/v1/context", { ...filters, limit: PAGE, cursor }, { signal });
    values.push(...response.values);
    cursor = response.next_cursor || "";
    if (!cursor) break;
  }
  return { values, more: Boolean(cursor) };
}

/** @param {{values: Value[], chosen: number, onOpen: (value: Value) => void}} props */
function Keys({ values, chosen, onOpen }) {
  const href = (/** @type {Value} */ value) => link(location.pathname + location.search, { key: value.key, at: scopeName(value) });
  return html`<${Table} label="Context" rows=${values} id=${(/** @type {Value} */ value) => `${scopeName(value)} ${value.key}`}
    selected=${values[chosen] ? `${scopeName(values[chosen])} ${values[chosen].key}` : ""} onSelect=${onOpen}
    columns=${[
      { title: "key", class: "col-key", cell: (/** @type {Value} */ value) => html`<a href=${href(value)}><code><${Text} text=${value.key} /></code></a>` },
      { title: "value", class: "col-value", cell: (/** @type {Value} */ value) => html`<span class="preview"><${Text} text=${preview(value)} /></span>` },
      { title: "type", class: "col-type", cell: (/** @type {Value} */ value) => value.type
          ? html`<a class="chip" href=${link("/context", { type: value.type })}>${value.type}</a>` : html`<span class="faint">–</span>` },
      { title: "scope", class: "col-wide", cell: (/** @type {Value} */ value) => html`<${Scope} value=${value} />` },
      { title: "by", class: "col-wide", cell: (/** @type {Value} */ value) => value.actor },
      { title: "written", cell: (/** @type {Value} */ value) => html`<span class="soft"><${Time} at=${value.at} /></span>` },
      { title: "until", class: "col-wide", cell: (/** @type {Value} */ value) => html`<span class="soft"><${Until} value=${value} /></span>` },
      { title: "values", class: "right col-wide", cell: (/** @type {Value} */ value) => (value.versions ?? 1) > 1
          ? html`<${Badge} title="number of values over time">${value.versions}<//>` : html`<span class="faint">1</span>` },
    ]} />`;
}

/** @param {Value} value */
function preview(value) {
  if (value.erased || value.altered) return value.erased ? "erased" : "altered";
  const text = typeof value.value === "string" ? value.value : write(value.value ?? null);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** @param {{filtered: boolean}} props */
function Nothing({ filtered }) {
  if (filtered) return html`<${Empty} icon="search" title="No matches."><p><a href=${link("/context")}>Show everything</a></p><//>`;
  return html`<${Empty} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`;
}
