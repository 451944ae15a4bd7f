/** One execution in a row: its progress and its problems. */

import { html, names } from "../html.js";
import { link } from "../router.js";
import { Badge, Status, Tally, Text, Time, shownStatus, stepsShort, useNow } from "../ui/index.js";
import { OPEN } from "./query.js";

const QUIET_MILLISECONDS = 120_000;
/** A running execution without an entry for longer is shown as quiet. */

/**
 * @param {{row: any, selected: boolean, index: number, onFocus: () => void}} props
 */
export function Row({ row, selected, index, onFocus }) {
  return html`<div class=${names("exec", selected && "exec-selected")} role="listitem" data-index=${index}>
    <span class="exec-state"><${Status} state=${shownStatus(row)} /></span>
    <span class="exec-what">
      <a class="exec-link cut" href=${link(`/x/${row.id}`)} onFocus=${onFocus}><${Text} text=${row.title || row.id} /></a>
      <span class="exec-meta cut">
        ${row.actor && html`<span><${Text} text=${row.actor} /></span>`}
        ${row.client && html`<span>${row.client}</span>`}
        ${row.task_id && html`<span>${row.task_id}</span>`}
        <code>${row.id}</code>
      </span>
    </span>
    <span class="exec-plan">
      <${Tally} row=${row} running=${shownStatus(row) === "running"} failed=${Boolean(row.failed) && !["running", "completed"].includes(row.status)} />
      ${row.total_steps ? html`<span class="exec-step cut">${stepsShort(row)}${row.step && row.status !== "completed" ? html` · ${row.step}` : null}</span>` : null}
    </span>
    <span class="exec-flags"><${Flags} row=${row} /></span>
    <span class="exec-last"><${Last} row=${row} /></span>
  </div>`;
}

/** @param {{row: any}} props */
function Flags({ row }) {
  const failed = row.failed ?? row.actions?.failed ?? 0;
  return html`
    ${row.waiting ? html`<${Badge} tone="waiting" icon="blocked" title="Approvals pending">${row.waiting} pending</${Badge}>` : null}
    ${row.in_doubt ? html`<${Badge} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${row.in_doubt} in doubt</${Badge}>` : null}
    ${failed ? html`<${Badge} tone="failed" icon="failed" title="Actions that failed">${failed} failed</${Badge}>` : null}
    ${row.owed ? html`<${Badge} tone="undo" icon="owed" title="Somebody still has to undo this">${row.owed} owed</${Badge}>` : null}
  `;
}

/** @param {{row: any}} props */
function Last({ row }) {
  if (row.interrupted) return html`<span class="quiet" title=${`last worked on by ${row.interrupted_by || "a session"} (${row.last_session})`}><${Time} at=${row.interrupted} lead="left " /></span>`;
  if (!["running", "unwinding"].includes(shownStatus(row))) {
    return html`<${Time} at=${OPEN.includes(row.status) ? row.last : row.ended || row.last} />`;
  }
  return html`<${Quiet} at=${row.last} />`;
}

/** @param {{at: string}} props */
function Quiet({ at }) {
  const quiet = useNow() - Date.parse(at) > QUIET_MILLISECONDS;
  return html`<span class=${quiet ? "quiet" : null}><${Time} at=${at} lead=${quiet ? "quiet for " : ""} /></span>`;
}

/** @param {{group: string, count: number, by: string, more: boolean}} props */
export function GroupRow({ group, count, by, more }) {
  return html`<div class="exec-group" role="listitem">
    <strong>${group || `no ${by}`}</strong><span class="faint">${count}${more ? "+" : ""}</span>
  </div>`;
}
