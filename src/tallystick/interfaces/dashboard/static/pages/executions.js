/** The page Executions: a live list with filters, which are part of the address. */

import { HINTS, asked, parse, toggled, write, wrongStatus } from "../executions/query.js";
import { GroupRow, Row } from "../executions/row.js";
import { useRows } from "../executions/rows.js";
import { FirstSteps } from "../executions/first_steps.js";
import { Views } from "../executions/views.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { link, navigate, setQuery } from "../router.js";
import { useSetting } from "../settings.js";
import { Button, Choice, Empty, Loading, ProblemNote, SearchBox, VirtualList } from "../ui/index.js";

/** Frequent filters as buttons. */
const QUICK = /** @type {[string, string, string][]} */ ([
  ["status", "open", "Open"],
  ["only", "waiting", "Waiting for a person"],
  ["only", "in_doubt", "In doubt"],
  ["only", "interrupted", "Interrupted"],
  ["only", "owed", "Owed"],
  ["status", "failed", "Failed"],
]);
const HEIGHTS = { compact: 48, comfortable: 60, phone: 104 };
const HEAD = html`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last worked on</span>
</div>`;
const PHONE = matchMedia("(max-width: 720px)");

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const text = query.get("q") || "";
  const group = query.get("group") || "";
  const terms = useMemo(() => parse(text), [text]);
  const live = useRows(asked(terms), `${text} ${query.get("journal") || ""}`);
  const wrong = wrongStatus(terms);
  const [entered, setEntered] = useState(0);
  const bare = !terms.length && live.data && !live.rows.length;
  if (bare) return html`<${FirstSteps} />`;
  return html`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${Choice} label="Group by" value=${group} choices=${[["", "Flat"], ["task", "By task"], ["agent", "By agent"]]} onChange=${(/** @type {string} */ by) => setQuery({ group: by })} />
        <${Views} />
      </div>
    </div>
    <${Filters} text=${text} terms=${terms} onEnter=${() => setEntered(entered + 1)} />
    <${ProblemNote} problem=${wrong || live.problem} retry=${wrong ? undefined : live.reload} />
    ${live.data && !wrong ? html`<${List} live=${live} group=${group} filtered=${terms.length > 0} entered=${entered} />` : !live.problem && html`<${Loading} what="Loading executions" />`}
  </div>`;
}

/** @param {{text: string, terms: import("../executions/query.js").Term[], onEnter: () => void}} props */
function Filters({ text, terms, onEnter }) {
  const set = (/** @type {string} */ next) => setQuery({ q: next.trim() }, { replace: true });
  return html`<div class="exec-filters">
    <${SearchBox} label="Filter executions" value=${text} onChange=${set} onEnter=${onEnter} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${SearchBox}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${QUICK.map(([field, value, word]) => {
        const on = terms.some((each) => each.field === field && each.value === value);
        return html`<${Button} class="exec-chip" pressed=${on} onClick=${() => set(write(toggled(terms, { field, value })))}>${word}</${Button}>`;
      })}
      ${terms
        .filter((term) => !QUICK.some(([field, value]) => field === term.field && value === term.value))
        .map((term) => html`<${Button} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${write([term])}`} onClick=${() => set(write(terms.filter((each) => each !== term)))}>${write([term])}</${Button}>`)}
      ${terms.length > 0 && html`<${Button} kind="ghost" class="exec-chip" onClick=${() => set("")}>Clear</${Button}>`}
    </div>
    <details class="hints">
      <summary><${Icon} name="filter" />Filters</summary>
      <dl>${HINTS.map(([key, label]) => html`<div><dt><code>${key}</code></dt><dd>${label}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`;
}

/** @param {{live: ReturnType<typeof useRows>, group: string, filtered: boolean, entered: number}} props `entered` counts how often Enter was pressed in the search box */
function List({ live, group, filtered, entered }) {
  const [selected, select] = useState(-1);
  const density = useSetting("density");
  const phone = usePhone();
  const rows = useMemo(() => grouped(live.rows, group, live.all), [live.rows, group, live.all]);
  const height = HEIGHTS[phone ? "phone" : density === "comfortable" ? "comfortable" : "compact"];
  const move = (/** @type {number} */ by) => {
    let next = selected + by;
    while (rows[next]?.group !== undefined) next += by;
    if (rows[next]) select(next);
  };
  useKeys("Executions", {
    j: { label: "next execution", run: () => move(1) },
    k: { label: "previous execution", run: () => move(-1) },
    Enter: { label: "open it", run: () => rows[selected]?.id && navigate(`/x/${rows[selected].id}`) },
  });
  useEffect(() => {
    if (!entered || live.loading || document.activeElement?.hasAttribute("data-search")) return;
    const first = rows.findIndex((row) => row.group === undefined);
    select(-1); // so that the first row is focused again, even if it was selected before
    setTimeout(() => select(first));
  }, [entered, live.loading]);
  useEffect(() => {
    if (selected < 0) return;
    /** @type {HTMLElement | null} */
    const row = document.querySelector(`[data-index="${selected}"] .exec-link`);
    row?.focus({ preventScroll: true });
  }, [selected]);
  if (!rows.length) return html`<${Empty} icon="search" title="No matching executions."><a href=${link("/executions", {})}>Show all</a></${Empty}>`;
  return html`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${live.rows.length}${live.all ? "" : " or more"} ${live.rows.length === 1 && live.all ? "execution" : "executions"}${filtered ? " match" : ""}</p>
    <${VirtualList}
      label="Executions"
      rows=${rows}
      height=${height}
      selected=${selected}
      head=${HEAD}
      onNear=${live.more}
      row=${(/** @type {any} */ row, /** @type {number} */ index) =>
        row.group !== undefined
          ? html`<${GroupRow} key=${`group ${row.group}`} ...${row} />`
          : html`<${Row} key=${row.id} row=${row} index=${index} selected=${index === selected} onFocus=${() => select(index)} />`}
    />
  </div>`;
}

/**
 * Rows grouped under headings, in the order of the first row of each group.
 * @param {any[]} rows
 * @param {string} by
 * @param {boolean} all
 */
function grouped(rows, by, all) {
  if (by !== "task" && by !== "agent") return rows;
  const groups = new Map();
  for (const row of rows) {
    const name = (by === "task" ? row.task_id : row.actor) || "";
    groups.set(name, [...(groups.get(name) || []), row]);
  }
  return [...groups].flatMap(([group, members]) => [{ group, count: members.length, by, more: !all }, ...members]);
}

function usePhone() {
  const [phone, set] = useState(PHONE.matches);
  useEffect(() => {
    const change = () => set(PHONE.matches);
    PHONE.addEventListener("change", change);
    return () => PHONE.removeEventListener("change", change);
  }, []);
  return phone;
}
