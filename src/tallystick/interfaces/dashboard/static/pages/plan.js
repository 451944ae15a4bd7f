/** The page of one plan: its steps, revisions and executions. */

import { get } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { RevisionDiff, Revisions } from "../plans/revisions.js";
import { Steps } from "../plans/steps.js";
import { link, setQuery } from "../router.js";
import { Duration, Empty, HandleText, Loading, Panel, ProblemNote, Status, Table, Tally, Text, Time, span } from "../ui/index.js";
import { TextLines } from "../ui/text.js";

const EXECUTIONS = 100;

/** @typedef {import("../types.js").PlanView} Revision */

/** @param {{id: string, query: URLSearchParams}} props */
export function Page({ id, query }) {
  const plan = useLive({ by: [id], kinds: ["plan_", "body_erased"] }, (signal) => get(`/v1/plans/${encodeURIComponent(id)}`, {}, { signal }));
  const runs = useLive({ by: [id], kinds: ["execution_", "decision_recorded", "action_ended"] }, (signal) => get("/v1/executions", { plan_id: id, limit: EXECUTIONS }, { signal }));
  if (!plan.data) return html`<div class="page"><h1>Plan</h1><${ProblemNote} problem=${plan.problem} retry=${plan.reload} />${!plan.problem && html`<${Loading} />`}</div>`;
  return html`<${Whole} id=${id} query=${query} status=${plan.data.status} revisions=${plan.data.revisions} executions=${runs.data?.executions ?? []} />`;
}

/**
 * @param {{id: string, query: URLSearchParams, status: string, revisions: Revision[], executions: any[]}} props
 */
function Whole({ id, query, status, revisions, executions }) {
  const newest = revisions[0];
  const number = Number(query.get("to") || query.get("revision")) || newest.revision;
  const after = revisions.find((each) => each.revision === number) ?? newest;
  const before = revisions.find((each) => each.revision === Number(query.get("from")));
  const counts = new Map();
  for (const run of executions) counts.set(run.revision, (counts.get(run.revision) ?? 0) + 1);
  const go = (/** @type {number} */ step) => {
    const next = revisions.find((each) => each.revision === after.revision + step);
    if (next) setQuery({ revision: before ? "" : next.revision, to: before ? next.revision : "", from: before ? next.revision - 1 || "" : "" }, { replace: true });
  };
  useKeys("Plan", {
    "[": { label: "previous revision", run: () => go(-1) },
    "]": { label: "next revision", run: () => go(1) },
    d: after.revision > 1 && { label: "show changes or steps", run: () => setQuery(before ? { from: "", to: "", revision: after.revision } : { from: after.revision - 1, to: after.revision, revision: "" }) },
  });
  return html`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${link("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${Text} text=${after.erased ? "Erased plan" : after.altered ? "Altered plan" : after.title || id} /></h1>
        <${Status} state=${status} />
        <div class="page-head-end"><${HandleText} id=${id} /></div>
      </div>
      ${after.goal && html`<p class="plan-goal"><${Text} text=${after.goal} /></p>`}
      <p class="soft plan-about">
        ${[newest.task_id && html`task <a href=${link("/executions", { q: `task:${newest.task_id}` })}>${newest.task_id}</a>`, newest.type, `by ${newest.actor}`].filter(Boolean).map((part, at) => html`${at ? " · " : ""}${part}`)}
      </p>
      ${status !== "active" && newest.retired_reason && html`<p class="note">Retired: ${newest.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${before ? "What changed" : `Revision ${after.revision}`}>
        ${before ? html`<${RevisionDiff} before=${before} after=${after} />` : html`<${OneRevision} revision=${after} step=${query.get("step") || ""} />`}
        <${Panel} flush title=${`Executions${executions.length === EXECUTIONS ? `, the newest ${EXECUTIONS}` : ""}`}>
          ${executions.length ? html`<${Runs} runs=${executions} />` : html`<${Empty} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${Panel} title="Revisions"><${Revisions} id=${id} revisions=${revisions} shown=${after.revision} from=${before?.revision ?? 0} counts=${counts} /><//>
      </aside>
    </div>
  </div>`;
}

/** @param {{revision: Revision, step: string}} props */
function OneRevision({ revision, step }) {
  const steps = revision.steps ?? [];
  const estimated = steps.filter((each) => each.estimate !== undefined && each.estimate !== null);
  const total = estimated.reduce((sum, each) => sum + Number(each.estimate), 0);
  const title = html`Steps of revision ${revision.revision}
    <span class="soft panel-note">${estimated.length ? `estimated ${span(total * 1000)}${estimated.length < steps.length ? ` for ${estimated.length} of ${steps.length}` : ""}` : ""}</span>`;
  return html`
    ${revision.warnings?.length
      ? html`<ul class="warnings" aria-label="Warnings">${revision.warnings.map((warning) => html`<li><${Icon} name="warning" /> <${Text} text=${warning} /></li>`)}</ul>`
      : null}
    ${revision.reasoning && html`<details class="reasoning"><summary>Reasoning</summary><p><${TextLines} text=${revision.reasoning} /></p></details>`}
    <${Panel} flush title=${title}><${Steps} steps=${steps} chosen=${step} /><//>`;
}

/** @param {{runs: any[]}} props */
function Runs({ runs }) {
  return html`<${Table} label="Executions of this plan" rows=${runs} id=${(/** @type {any} */ run) => run.id}
    columns=${[
      { title: "status", cell: (/** @type {any} */ run) => html`<${Status} state=${run.status} quiet />` },
      { title: "execution", cell: (/** @type {any} */ run) => html`<a href=${link(`/x/${run.id}`)}><code>${run.id}</code></a>` },
      { title: "revision", class: "right num", cell: (/** @type {any} */ run) => run.revision },
      { title: "plan", class: "col-wide", cell: (/** @type {any} */ run) => html`<${Tally} row=${run} />` },
      { title: "by", class: "col-wide", cell: (/** @type {any} */ run) => run.client || run.actor },
      { title: "started", cell: (/** @type {any} */ run) => html`<span class="soft"><${Time} at=${run.started} /></span>` },
      { title: "took", class: "right col-wide", cell: (/** @type {any} */ run) => html`<${Duration} from=${run.started} to=${run.ended} />` },
    ]} />`;
}
