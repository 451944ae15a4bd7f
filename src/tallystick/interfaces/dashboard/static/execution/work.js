/** The view Work: the waterfall in the order of the plan or of time, or the graph of the plan. */

import { get } from "../api.js";
import { html, useCallback, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { useEntries } from "../live.js";
import { setQuery } from "../router.js";
import { Button, Choice, Empty } from "../ui/index.js";
import { GraphView } from "../work/graph.js";
import { actionOf } from "../work/row.js";
import { useWork } from "../work/rows.js";
import { Waterfall } from "../work/waterfall.js";
import { failedOf } from "./tiles.js";

const COLLECT_MILLISECONDS = 80;
/** Entries that arrive within this time cause one reload. */
const MAX_FRAMES = 60;
/** Frames in which a selected row is drawn, if it is in the list. */
const CHANGES_ANY = ["session_ended", "body_erased"];
/** Kinds of entry of other executions, or of none, that may change the state of an action. */
const ONLY = { done: "done", failed: "failed", in_doubt: "in doubt", unplanned: "unplanned", open: "under way" };

/**
 * @param {{status: any, query: URLSearchParams, chosen: {action: string, step: string}, select: (next: any) => void, row_actions?: any}} props
 *   `status` is the result of `get_status`; `row_actions` is a component that gets `{row}` and stands in each row
 */
export function WorkView({ status, query, chosen, select, row_actions: actions }) {
  const { execution } = status;
  const planned = Boolean(execution.plan_id);
  const view = query.get("view") || (planned ? "plan" : "time");
  const only = query.get("only") || "";
  const read = useCallback((/** @type {any} */ params) => get(`/v1/executions/${encodeURIComponent(execution.id)}/work`, params), [execution.id]);
  const order = view === "graph" ? "plan" : view;
  const work = useWork({ read, wanted: { order, only }, by: execution.id, version: useVersion(execution.id) });
  const goToFailure = async () => {
    const { rows } = await read({ only: "failed", limit: 1, unfolded: true });
    if (!rows.length) return;
    select({ action: rows[0].id });
    if (only && only !== "failed") return;
    await work.reveal(rows[0]);
    scrollToSelected();
  };
  useKeys("Work", { e: { label: "go to the first failure", run: () => void goToFailure() } });
  const views = /** @type {[string, string][]} */ ([["plan", "Plan"], ["time", "Time"], ["newest", "Newest first"], ["graph", "Graph"]]);
  const word = ONLY[/** @type {keyof typeof ONLY} */ (only)];
  return html`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${Choice} label="View" value=${only ? "" : view} choices=${planned ? views : views.slice(1, 3)} onChange=${(/** @type {string} */ to) => setQuery({ view: to, only: "" })} />
      ${failedOf(execution) > 0 && html`<${Button} icon="first" onClick=${goToFailure}>First failure</${Button}>`}
      ${word && html`<${Button} icon="close" onClick=${() => setQuery({ only: "" })}>Only ${word}</${Button}>`}
    </div>
    ${view === "graph" && !only
      ? html`<${GraphView} work=${work} selected=${chosen.step} onStep=${(/** @type {string} */ step) => select({ step })} />`
      : html`<${Waterfall}
          work=${work}
          execution=${execution}
          selected=${chosen.action || chosen.step}
          row_actions=${actions}
          onSelect=${(/** @type {any} */ row) => select(actionOf(row) ? { action: actionOf(row) } : { step: row.id })}
          empty=${word && html`<${Empty} title=${`No actions are ${word}.`} />`}
        />`}
  </section>`;
}

/** Show the selected row once it is drawn: the list may reach below the screen. */
function scrollToSelected(frames = MAX_FRAMES) {
  requestAnimationFrame(() => {
    const row = document.querySelector(".work-on");
    if (row) row.scrollIntoView({ block: "nearest" });
    else if (frames) scrollToSelected(frames - 1);
  });
}

/** A number that changes when entries may have changed the rows. @param {string} execution */
function useVersion(execution) {
  const [version, set] = useState(0);
  const timer = useRef(/** @type {any} */ (0));
  useEntries((entry) => {
    if (entry && entry.execution_id !== execution && !CHANGES_ANY.includes(entry.kind)) return;
    timer.current ||= setTimeout(() => ((timer.current = 0), set((before) => before + 1)), COLLECT_MILLISECONDS);
  });
  return version;
}
