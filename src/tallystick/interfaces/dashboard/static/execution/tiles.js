/** The figures of an execution, each a link to what it counts, and its open failures in a sentence. */

import { get } from "../api.js";
import { html, names } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { link, setQuery } from "../router.js";
import { Text } from "../ui/index.js";

const MAX_FAILED_READ = 20;
/** Failed actions that are looked at for one of no step: more would read a long execution to its start. */
const MAX_UNDOS_READ = 100;
const MAX_ERROR_CHARACTERS = 300;

/** How many actions failed, undos too, as the filter finds them. @param {any} row */
export const failedOf = (row) => (row.failed || 0) + (row.undos?.failed || 0);

/** @param {{row: any, query: URLSearchParams}} props `row` is the execution of `get_status` */
export function Tiles({ row, query }) {
  const only = query.get("only") || "";
  const left = (row.total_steps || 0) - (row.done_steps || 0) - (row.skipped_steps || 0);
  const to = (/** @type {any} */ params) => link(`/x/${row.id}`, params);
  const actions = row.actions || {};
  const tiles = /** @type {[string, any, string, string, boolean?][]} */ ([
    row.total_steps ? ["steps done", html`${row.done_steps || 0}<small> of ${row.total_steps}</small>`, "ok", to({ view: "plan" })] : ["done", actions.ok || 0, "ok", to({ only: "done" }), only === "done"],
    ["failed", failedOf(row), "failed", to({ only: "failed" }), only === "failed"],
    ["in doubt", row.in_doubt || 0, "doubt", to({ tab: "doubt" })],
    ["owed", row.owed || 0, "undo", to({ tab: "undo" })],
    ["unplanned", row.unplanned || 0, "idle", to({ only: "unplanned" }), only === "unplanned"],
    ["waiting", row.waiting || 0, "waiting", link("/approvals", { execution: row.id })],
  ]);
  if (row.total_steps) tiles.splice(1, 0, row.status === "unwinding" ? ["steps undone", row.undone_steps || 0, "plain", to({ view: "plan" })] : ["steps left", left, "plain", to({ view: "plan" })]);
  return html`<ul class="tiles" aria-label="Figures">
    ${tiles.map(([word, count, tone, href, on]) => html`<li key=${word}><a href=${href} aria-current=${on ? "true" : null} class=${names("tile", `tone-${tone}`, typeof count === "number" && count > 0 && tone !== "plain" && "tile-set")}><strong>${count}</strong><span>${word}</span></a></li>`)}
  </ul>`;
}

/**
 * What failed and is not overcome, and why: the first failed step or the last unplanned action of an execution that did not complete, and a failed undo.
 * @param {{row: any, steps: any[]}} props
 */
export function Failure({ row, steps }) {
  const failed = row.failed > 0 && row.status !== "completed";
  const undoFailed = row.undo_states?.failed > 0;
  const find = (/** @type {string} */ actual) => steps.find((each) => each.attempts && !each.dropped && each.actual === actual);
  const step = find("failed") ?? find("waiting"); // whose last attempt may have failed
  const { data } = useLive({ by: [row.id, failed, undoFailed, step?.action_id], execution: row.id, kinds: ["action_", "decision_recorded"] }, async (signal) => {
    const of = `/v1/executions/${encodeURIComponent(row.id)}`;
    const [action, undos] = await Promise.all([
      failed && step && get(`/v1/actions/${encodeURIComponent(step.action_id)}`, {}, { signal }),
      undoFailed && get(`${of}/undo-list`, { limit: MAX_UNDOS_READ }, { signal }),
    ]);
    const ofStep = action?.state === "failed" && { id: action.id, summary: action.begin_body?.summary || step.title, tool: action.tool, error: shortened(action.end_body?.error || "") };
    const rows = failed && !ofStep ? (await get(`${of}/work`, { only: "failed", newest_first: true, unfolded: true, limit: MAX_FAILED_READ }, { signal })).rows : [];
    return { failure: ofStep || rows.find((/** @type {any} */ each) => !each.step && each.action_kind !== "undo"), undo: undos && undos.items.find((/** @type {any} */ each) => each.state === "failed") };
  });
  return html`${data?.failure && html`<${FailureLine} item=${data.failure} id=${data.failure.id} />`}
    ${data?.undo && html`<${FailureLine} item=${data.undo} id=${data.undo.undone_by || data.undo.action_id} undo />`}`;
}

/** @param {string} text */
const shortened = (text) => (text.length > MAX_ERROR_CHARACTERS ? `${text.slice(0, MAX_ERROR_CHARACTERS).trimEnd()}...` : text);

/** @param {{item: any, id: string, undo?: boolean}} props */
function FailureLine({ item, id, undo = false }) {
  const show = () => setQuery({ action: id, step: "", entry: "" });
  return html`<div class="x-failure"><${Icon} name="failed" /><p>${undo && "undo of "}<button type="button" class="row-button" onClick=${show}><${Text} text=${item.summary || item.tool || id} /></button> failed${item.error ? html`: <${Text} text=${item.error.replace(/^failed: /, "")} />` : "."}</p></div>`;
}
