/** The page Compare: two executions side by side, step by step. */

import { get } from "../api.js";
import { differences, diffRows, summaryOf } from "../compare/sides.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { link, setQuery } from "../router.js";
import { Badge, Button, DiffTable, Empty, Loading, Panel, ProblemNote, Status, Text, Time, span } from "../ui/index.js";

const RECENT = 50;

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const [a, b] = [query.get("a") || "", query.get("b") || ""];
  const only = query.get("only") === "differences";
  const recent = useLive({ kinds: ["execution_"] }, (signal) => get("/v1/executions", { limit: RECENT }, { signal }));
  const both = Boolean(a && b);
  const compared = useLive({ by: [a, b], kinds: ["execution_", "action_"] }, (signal) => (both ? get("/v1/comparison", { a, b }, { signal }) : Promise.resolve(null)));
  const known = recent.data?.executions ?? [];
  return html`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${Pick} side="A" value=${a} known=${known} onPick=${(/** @type {string} */ id) => setQuery({ a: id })} />
      <${Button} icon="compare" label="Swap A and B" onClick=${() => setQuery({ a: b, b: a })} />
      <${Pick} side="B" value=${b} known=${known} onPick=${(/** @type {string} */ id) => setQuery({ b: id })} />
    </div>
    <${ProblemNote} problem=${compared.problem} retry=${compared.reload} />
    ${!both
      ? html`<${Panel}><${Empty} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//><//>`
      : !compared.data
        ? !compared.problem && html`<${Loading} />`
        : html`<${Summary} comparison=${compared.data} />
            <${Steps} comparison=${compared.data} only=${only} />`}
  </div>`;
}

/** @param {{side: string, value: string, known: any[], onPick: (id: string) => void}} props */
function Pick({ side, value, known, onPick }) {
  const list = `recent-${side}`;
  return html`<label class="field compare-field"><span>${side}</span>
    <input type="text" list=${list} value=${value} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${(/** @type {any} */ event) => onPick(event.target.value.trim())} />
    <datalist id=${list}>${known.map((each) => html`<option key=${each.id} value=${each.id}>${each.title} (${each.status})</option>`)}</datalist>
  </label>`;
}

const WORDS = /** @type {[string, string][]} */ ([
  ["status", "status"], ["by", "by"], ["revision", "plan revision"], ["started", "started"], ["took", "took"], ["steps", "steps"], ["actions", "actions"],
  ["failed", "failed"], ["in_doubt", "in doubt"], ["unplanned", "unplanned"], ["undone", "undone"], ["owed", "owed"],
]);

/** @param {{comparison: any}} props */
function Summary({ comparison: { a, b } }) {
  const [left, right] = /** @type {Record<string, any>[]} */ ([summaryOf(a), summaryOf(b)]);
  return html`<${Panel} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[a, b].map((each, at) => html`<th scope="col"><span class="side">${"AB"[at]}</span> <a href=${link(`/x/${each.id}`)}><${Text} text=${each.title || each.id} /></a> <code>${each.id}</code></th>`)}</tr></thead>
      <tbody>${WORDS.map(([name, word]) => html`<tr key=${name} class=${left[name] !== right[name] && name !== "started" ? "differs" : null}>
        <th scope="row">${word}</th>${[left, right].map((side) => html`<td>${cell(name, side[name])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`;
}

/**
 * @param {string} name
 * @param {any} value
 */
function cell(name, value) {
  if (name === "status") return html`<${Status} state=${value} />`;
  if (name === "started") return html`<${Time} at=${value} />`;
  if (name === "took") return value === null ? html`<span class="faint">not ended</span>` : span(value * 1000);
  return html`<span class="num">${value}</span>`;
}

/** @param {{comparison: {rows: import("../compare/sides.js").Row[], left_out?: number, whole?: boolean}, only: boolean}} props */
function Steps({ comparison, only }) {
  const rows = comparison.rows.map((row) => ({ row, differs: differences(row) }));
  const shown = only ? rows.filter((each) => each.differs.length) : rows;
  const count = rows.filter((each) => each.differs.length).length;
  const tools = html`<label class="check"><input type="checkbox" checked=${only} onChange=${() => setQuery({ only: only ? "" : "differences" }, { replace: true })} /> only differences</label>`;
  return html`<${Panel} flush title=${`Step by step: ${count} of ${rows.length} differ`} actions=${tools}>
    <ul class="compare-rows">${shown.map(({ row, differs }) => html`<${StepRow} key=${`${row.kind} ${row.name}`} row=${row} differs=${differs} />`)}</ul>
    ${!shown.length && html`<${Empty} icon="check" title="No differences." />`}
    ${Boolean(comparison.left_out) && html`<p class="soft compare-note">${comparison.left_out} more rows are not shown.</p>`}
    ${comparison.whole === false && html`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`;
}

const KINDS = { call: "unplanned call", undo: "undo", step: "" };

/** @param {{row: import("../compare/sides.js").Row, differs: string[]}} props */
function StepRow({ row, differs }) {
  const [open, setOpen] = useState(Boolean(row.arguments?.length)); // different arguments are what people look for first
  const parts = /** @type {[string, import("../compare/sides.js").Place[]][]} */ ([["arguments", row.arguments ?? []], ["result", row.results ?? []]]);
  const inner = parts.filter(([, differing]) => differing.length);
  return html`<li class=${differs.length ? "differs" : null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${Text} text=${row.summary || row.name} /></strong> <code class="soft"><${Text} text=${row.name} /></code>
        ${KINDS[row.kind] && html` <${Badge} icon=${row.kind === "undo" ? "unwinding" : "unplanned"}>${KINDS[row.kind]}<//>`}</div>
      <${SideText} letter="A" side=${row.a} /><${SideText} letter="B" side=${row.b} />
      <div class="compare-differs">${differs.length ? html`<${Icon} name="compare" size=${14} /> ${differs.join(", ")}` : html`<span class="faint">same</span>`}
        ${inner.length ? html`<${Button} kind="ghost" icon=${open ? "down" : "right"} aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>${open ? "hide" : "show"}<//>` : null}</div>
    </div>
    ${open && inner.map(([word, differing]) => html`<h3>${word}</h3>
      <div class="diff"><${DiffTable} rows=${diffRows(differing)} titles=${["A", "B"]} words=${{ removed: "only in A", added: "only in B" }} /></div>`)}
    ${open && row.cut && html`<p class="soft">More differences are not shown.</p>`}
  </li>`;
}

/** @param {{letter: string, side?: import("../compare/sides.js").Side}} props */
function SideText({ letter, side }) {
  if (!side) return html`<div class="compare-side"><span class="side">${letter}</span> <span class="faint">missing</span></div>`;
  return html`<div class="compare-side"><span class="side">${letter}</span> <${Status} state=${side.state || "planned"} quiet />
    ${(side.attempts ?? 0) > 1 && html`<span class="soft">${side.attempts} attempts</span>`}
    ${side.seconds !== undefined && side.seconds !== null && html`<span class="num soft">${span(side.seconds * 1000)}</span>`}</div>`;
}
