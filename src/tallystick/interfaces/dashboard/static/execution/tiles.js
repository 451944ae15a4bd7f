/** The figures of an execution, each a link to what it counts, and its first failure in a sentence. */

import { get } from "../api.js";
import { html, names } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { link, setQuery } from "../router.js";
import { Text } from "../ui/index.js";

/** @param {{row: any, query: URLSearchParams}} props `row` is the execution of `get_status` */
export function Tiles({ row, query }) {
  const only = query.get("only") || "";
  const left = (row.total_steps || 0) - (row.done_steps || 0) - (row.skipped_steps || 0);
  const to = (/** @type {any} */ params) => link(`/x/${row.id}`, params);
  const actions = row.actions || {};
  const tiles = /** @type {[string, any, string, string, boolean?][]} */ ([
    row.total_steps ? ["steps done", html`${row.done_steps || 0}<small> of ${row.total_steps}</small>`, "ok", to({ view: "plan" })] : ["done", actions.ok || 0, "ok", to({ only: "done" }), only === "done"],
    ["failed", row.failed || 0, "failed", to({ only: "failed" }), only === "failed"],
    ["in doubt", row.in_doubt || 0, "doubt", to({ tab: "doubt" })],
    ["owed", row.owed || 0, "undo", to({ tab: "undo" })],
    ["unplanned", row.unplanned || 0, "idle", to({ only: "unplanned" }), only === "unplanned"],
    ["waiting", row.waiting || 0, "waiting", link("/approvals", { execution: row.id })],
  ]);
  if (row.total_steps) tiles.splice(1, 0, ["steps left", left, "plain", to({ view: "plan" })]);
  return html`<ul class="tiles" aria-label="Figures">
    ${tiles.map(([word, count, tone, href, on]) => html`<li key=${word}><a href=${href} aria-current=${on ? "true" : null} class=${names("tile", `tone-${tone}`, typeof count === "number" && count > 0 && tone !== "plain" && "tile-set")}><strong>${count}</strong><span>${word}</span></a></li>`)}
  </ul>`;
}

/** The newest failure of an execution that did not complete: what failed, and why. @param {{row: any}} props */
export function Failure({ row }) {
  const shown = row.failed > 0 && row.status !== "completed";
  const { data } = useLive({ by: [row.id, shown], execution: row.id, kinds: ["action_ended", "decision_recorded"] }, (signal) =>
    shown ? get(`/v1/executions/${encodeURIComponent(row.id)}/work`, { only: "failed", newest_first: true, limit: 1 }, { signal }) : Promise.resolve({ rows: [] }),
  );
  const failed = shown && data?.rows[0];
  if (!failed) return null;
  return html`<div class="x-failure"><${Icon} name="failed" /><p><button type="button" class="row-button" onClick=${() => setQuery({ action: failed.id, step: "", entry: "" })}><${Text} text=${failed.summary || failed.tool || failed.id} /></button> failed${failed.error ? html`: <${Text} text=${failed.error.replace(/^failed: /, "")} />` : "."}</p></div>`;
}
