/** The page Compare: two executions side by side. It opens with what differs. */

import { get } from "../api.js";
import { differences, diffRows, summaryOf } from "../compare/sides.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { link, setQuery } from "../router.js";
import { Badge, Button, DiffTable, Empty, Loading, Panel, ProblemNote, Status, Text, Time, span } from "../ui/index.js";

const RECENT = 50;
const MAX_SUGGESTED = 8;

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const [a, b] = [query.get("a") || "", query.get("b") || ""];
  const all = query.get("show") === "all";
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
      ? html`<${Panel}><${Empty} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${Suggested} chosen=${a || b} side=${a ? "b" : "a"} known=${known} /><//>`
      : !compared.data
        ? !compared.problem && html`<${Loading} />`
        : html`<${Steps} comparison=${compared.data} all=${all} />
            <${Summary} comparison=${compared.data} all=${all} />`}
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

/**
 * Other executions of the plan, to compare with the chosen one.
 * @param {{chosen: string, side: string, known: any[]}} props
 */
function Suggested({ chosen, side, known }) {
  const plan = known.find((each) => each.id === chosen)?.plan_id;
  const others = known.filter((each) => each.id !== chosen && plan && each.plan_id === plan).slice(0, MAX_SUGGESTED);
  if (!others.length) return null;
  return html`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${others.map((each) => html`<li key=${each.id}><${Status} state=${each.status} quiet /> <a href=${link("/compare", side === "b" ? { a: chosen, b: each.id } : { a: each.id, b: chosen })}><${Text} text=${each.title || each.id} /></a> <code class="soft">${each.id}</code> <span class="soft"><${Time} at=${each.started} /></span></li>`)}</ul>
  </div>`;
}

const WORDS = /** @type {[string, string][]} */ ([
  ["status", "status"], ["by", "by"], ["revision", "plan revision"], ["started", "started"], ["took", "took"], ["steps", "steps"], ["actions", "actions"],
  ["failed", "failed"], ["in_doubt", "in doubt"], ["unplanned", "unplanned"], ["undone", "undone"], ["owed", "owed"],
]);

/** @param {{comparison: any, all: boolean}} props */
function Summary({ comparison: { a, b }, all }) {
  const [left, right] = /** @type {Record<string, any>[]} */ ([summaryOf(a), summaryOf(b)]);
  const differs = (/** @type {string} */ name) => left[name] !== right[name] && name !== "started";
  const shown = WORDS.filter(([name]) => all || differs(name) || name === "status");
  return html`<${Panel} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[a, b].map((each, at) => html`<th scope="col"><span class="side">${"AB"[at]}</span> <a href=${link(`/x/${each.id}`)}><${Text} text=${each.title || each.id} /></a> <code>${each.id}</code></th>`)}</tr></thead>
      <tbody>${shown.map(([name, word]) => html`<tr key=${name} class=${differs(name) ? "differs" : null}>
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

/** @param {{comparison: {rows: import("../compare/sides.js").Row[], left_out?: number, whole?: boolean, a: any, b: any}, all: boolean}} props */
function Steps({ comparison, all }) {
  const rows = comparison.rows.map((row) => ({ row, differs: differences(row) }));
  const differing = rows.filter((each) => each.differs.length);
  const same = rows.length - differing.length;
  const tools = html`<label class="check"><input type="checkbox" checked=${all} onChange=${() => setQuery({ show: all ? "" : "all" }, { replace: true })} /> show what is the same</label>`;
  return html`<${Panel} flush title=${`${differing.length} of ${rows.length} steps and calls differ`} actions=${tools}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${link(`/x/${comparison.a.id}`)}><${Text} text=${comparison.a.title || comparison.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${link(`/x/${comparison.b.id}`)}><${Text} text=${comparison.b.title || comparison.b.id} /></a></span></p>
    ${!differing.length && html`<${Empty} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(all ? rows : differing).map(({ row, differs }) => html`<${StepRow} key=${`${row.kind} ${row.name}`} row=${row} differs=${differs} />`)}</ul>
    ${!all && same > 0 && html`<p class="compare-note"><${Button} kind="ghost" icon="down" onClick=${() => setQuery({ show: "all" }, { replace: true })}>${`${same} ${same === 1 ? "is" : "are"} the same`}<//></p>`}
    ${Boolean(comparison.left_out) && html`<p class="soft compare-note">${comparison.left_out} more are not shown; those that ended otherwise come first.</p>`}
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
