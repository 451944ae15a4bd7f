/** The header of one execution: title, status, facts and notices. */

import { ExecutionActs } from "../acting/index.js";
import { ExportMenu } from "../exports/menu.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { link } from "../router.js";
import { ButtonLink, Duration, HandleText, Status, Tally, Text, Time, shownStatus, stepsShort } from "../ui/index.js";
import { Questions } from "./questions.js";
import { Failure, Tiles } from "./tiles.js";

/**
 * @param {{status: any, query: URLSearchParams, header_actions?: any}} props `status` is the result of `get_status`;
 *   `header_actions` is a component that gets `{status}` and draws what a person can do about the execution
 */
export function Header({ status, query, header_actions: Actions }) {
  const row = status.execution;
  return html`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${link("/executions")}><${Icon} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${Text} text=${row.title || row.id} /></h1>
      <${Status} state=${shownStatus(row)} />
      <div class="x-actions">
        ${Actions && html`<${Actions} status=${status} />`}
        <${ButtonLink} href=${link(`/replay/${row.id}`)} icon="replay">Replay</${ButtonLink}>
        <${ButtonLink} href=${link("/compare", { a: row.id })} icon="compare">Compare</${ButtonLink}>
        <${ExportMenu} execution=${row.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${HandleText} id=${row.id} /></dd></div>
      ${row.plan_id && html`<div><dt>plan</dt><dd><a href=${link(`/plans/${row.plan_id}`)}><code>${row.plan_id}</code></a> <span class="faint">revision ${row.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${Text} text=${row.actor || "–"} />${row.client && html` <span class="faint"><${Text} text=${row.client} /></span>`}</dd></div>
      ${row.task_id && html`<div><dt>task</dt><dd><a href=${link("/executions", { q: `task:${row.task_id}` })}><${Text} text=${row.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${Time} at=${row.started} /></dd></div>
      <div><dt>${row.ended || row.interrupted ? "took" : "for"}</dt><dd><${Duration} from=${row.started} to=${row.ended || row.interrupted} /></dd></div>
      ${row.interrupted && html`<div><dt>interrupted</dt><dd><${Time} at=${row.interrupted} /> <span class="faint">while ${row.status}, last worked on by <${Text} text=${row.interrupted_by || row.last_session} /></span></dd></div>`}
      ${!row.ended && html`<div><dt>last worked on</dt><dd><${Time} at=${row.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${CoverageLink} coverage=${status.coverage} id=${row.id} /></dd></div>
      ${row.total_steps ? html`<div><dt>steps</dt><dd><${Tally} row=${row} steps=${status.steps.filter((/** @type {any} */ step) => !step.dropped).map((/** @type {any} */ step) => step.actual)} /> <span class="num">${stepsShort(row)}</span></dd></div>` : null}
    </dl>
    <${Failure} row=${row} steps=${status.steps || []} />
    <${Questions} />
    <${Notices} status=${status} />
    <${ExecutionActs} execution=${row} />
    <${Tiles} row=${row} query=${query} />
  </header>`;
}

/** @param {{coverage: any, id: string}} props */
function CoverageLink({ coverage, id }) {
  if (!coverage) return "–";
  const observed = coverage.observers?.length;
  const silent = coverage.observers?.some((/** @type {any} */ each) => each.silent);
  return html`<a href=${link(`/x/${id}`, { tab: "coverage" })}>${coverage.ended || 0} of ${coverage.begun || 0} actions finished.</a>
    <span class="faint"> ${silent ? "Hooks are silent." : observed ? "Observed." : "Not observed by hooks."}</span>`;
}

/** What needs attention, one line each. @param {{status: any}} props */
function Notices({ status }) {
  const last = status.last_decision;
  const notices = [
    ...(status.advice || []).map((/** @type {any} */ each) => html`<span class="advice"><${Icon} name="warning" /><span><code><${Text} text=${each.step} /></code> failed: <${Text} text=${each.text} /></span></span>`),
    last?.decision && html`<span class="advice"><${Icon} name="claimed" /><span>last decision <strong>${last.decision}</strong>${last.why && html`: <${Text} text=${last.why} />`}</span></span>`,
  ].filter(Boolean);
  return notices.length ? html`<div class="notices">${notices}</div>` : null;
}
