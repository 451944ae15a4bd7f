/** The page Plans: all plans at their newest revision. */

import { get } from "../api.js";
import { html, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { link, navigate, setQuery } from "../router.js";
import { Button, Choice, Empty, Loading, Panel, ProblemNote, SearchBox, Status, Table, Text, Time } from "../ui/index.js";

const PAGE = 100;
const STATUSES = /** @type {[string, string][]} */ ([["", "all"], ["active", "active"], ["archived", "archived"], ["cancelled", "cancelled"]]);

/** @typedef {import("../types.js").PlanView} Plan */

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const [text, status, task] = ["text", "status", "task_id"].map((name) => query.get(name) || "");
  const [limit, setMost] = useState(PAGE);
  const [at, setAt] = useState(-1);
  const { data, problem, reload } = useLive({ by: [text, status, task, limit], kinds: ["plan_"] }, (signal) => load({ text, status, task_id: task }, limit, signal));
  const plans = data?.plans ?? [];
  useKeys("Plans", {
    j: { label: "next plan", run: () => setAt(Math.min(at + 1, plans.length - 1)) },
    k: { label: "previous plan", run: () => setAt(Math.max(at - 1, 0)) },
    Enter: plans[at] && { label: "open it", run: () => navigate(link(`/plans/${plans[at].id}`)) },
  });
  return html`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${SearchBox} label="Search plans" placeholder="Search titles, goals and steps" value=${text} onChange=${(/** @type {string} */ value) => setQuery({ text: value }, { replace: true })} />
      <${Choice} label="Status" value=${status} choices=${STATUSES} onChange=${(/** @type {string} */ value) => setQuery({ status: value })} />
      ${task && html`<${Button} icon="close" onClick=${() => setQuery({ task_id: "" })}>task ${task}<//>`}
    </div>
    <${ProblemNote} problem=${problem} retry=${reload} />
    ${!data
      ? !problem && html`<${Loading} />`
      : plans.length
        ? html`<${Panel} flush><${Rows} plans=${plans} chosen=${plans[at]?.id ?? ""} />
            ${data.more && html`<div class="more-row"><${Button} onClick=${() => setMost(limit + PAGE)}>Show more<//></div>`}<//>`
        : html`<${Panel}><${Nothing} filtered=${Boolean(text || status || task)} /><//>`}
  </div>`;
}

/**
 * @param {Record<string, unknown>} filters
 * @param {number} limit
 * @param {AbortSignal} signal
 */
async function load(filters, limit, signal) {
  /** @type {Plan[]} */
  const plans = [];
  let cursor = "";
  do {
    const page = await get("/v1/plans", { ...filters, limit: PAGE, cursor }, { signal });
    plans.push(...page.plans);
    cursor = page.next_cursor || "";
  } while (cursor && plans.length < limit);
  return { plans, more: Boolean(cursor) };
}

/** @param {{plans: Plan[], chosen: string}} props */
function Rows({ plans, chosen }) {
  return html`<${Table} label="Plans" rows=${plans} id=${(/** @type {Plan} */ plan) => plan.id} selected=${chosen}
    onSelect=${(/** @type {Plan} */ plan) => navigate(link(`/plans/${plan.id}`))}
    columns=${[
      { title: "status", cell: (/** @type {Plan} */ plan) => html`<${Status} state=${plan.status} quiet />` },
      { title: "plan", class: "col-title", cell: (/** @type {Plan} */ plan) => html`<a href=${link(`/plans/${plan.id}`)}><strong><${Text} text=${plan.erased ? "erased" : plan.altered ? "altered" : plan.title || plan.id} /></strong></a>
          <span class="plan-goal soft"><${Text} text=${plan.goal} /></span>` },
      { title: "steps", class: "right num", cell: (/** @type {Plan} */ plan) => plan.step_count ?? 0 },
      { title: "revision", class: "right num col-wide", cell: (/** @type {Plan} */ plan) => plan.revision },
      { title: "task", class: "col-wide", cell: (/** @type {Plan} */ plan) => plan.task_id || html`<span class="faint">–</span>` },
      { title: "type", class: "col-wide", cell: (/** @type {Plan} */ plan) => plan.type || html`<span class="faint">–</span>` },
      { title: "by", class: "col-wide", cell: (/** @type {Plan} */ plan) => plan.actor },
      { title: "revised", cell: (/** @type {Plan} */ plan) => html`<span class="soft"><${Time} at=${plan.at} /></span>` },
    ]} />`;
}

/** @param {{filtered: boolean}} props */
function Nothing({ filtered }) {
  if (filtered) return html`<${Empty} icon="search" title="No matching plans."><p><a href=${link("/plans")}>Show all plans</a></p><//>`;
  return html`<${Empty} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`;
}
