/** The page of one execution: timeline, plan, journal, graph, undo list, in doubt, context and coverage. */

import { get } from "../api.js";
import { ContextTab } from "../execution/context.js";
import { CoverageTab } from "../execution/coverage.js";
import { Detail } from "../execution/detail.js";
import { DoubtTab } from "../execution/doubt.js";
import { GraphTab } from "../execution/graph.js";
import { Header } from "../execution/header.js";
import { firstFailure, useActions } from "../execution/actions.js";
import { UndoListTab } from "../execution/undo_list.js";
import { PlanRail, PlanTable } from "../execution/plan.js";
import { html, names, useEffect, useState } from "../html.js";
import { JournalTab } from "../journal/journal.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { link, navigate, setQuery } from "../router.js";
import { ActionTable } from "../timeline/table.js";
import { Timeline } from "../timeline/timeline.js";
import { Button, Choice, Empty, Loading, ProblemNote, Tabs, visibleText } from "../ui/index.js";

const ENDED = ["completed", "failed", "cancelled", "closed"];
const STEPS = 10_000;
const DUE = ["not_undone", "undoing", "in_doubt", "failed"];

/** @param {{id: string, query: URLSearchParams}} props */
export function Page({ id, query }) {
  const { data: status, problem, reload } = useLive({ by: [id], execution: id }, (signal) =>
    get(`/v1/executions/${encodeURIComponent(id)}/status`, { limit: STEPS }, { signal }),
  );
  const { lines, complete, problem: unread } = useActions(id);
  useEffect(() => {
    if (status) document.title = `${visibleText(status.execution.title || id)} · Tallystick`;
  }, [status?.execution.title]);
  const tab = query.get("tab") || "timeline";
  useTabKeys(id, tab);
  if (!status) return html`<div class="page"><h1 class="visually-hidden">${id}</h1>${problem ? html`<${ProblemNote} problem=${problem} retry=${reload} />` : html`<${Loading} what="Loading the execution" />`}</div>`;
  const chosen = { action: query.get("action") || "", step: query.get("step") || "", entry: query.get("entry") || "" };
  const select = (/** @type {Partial<typeof chosen>} */ next) => setQuery({ action: "", step: "", entry: "", ...next });
  const detailed = Boolean(chosen.action || chosen.step || chosen.entry);
  return html`<div class="page x-page">
    <${Header} status=${status} />
    <${ProblemNote} problem=${problem || unread} retry=${reload} />
    <${Tabs} label="Views of this execution" value=${tab} tabs=${tabsOf(status)} href=${(/** @type {string} */ to) => link(`/x/${id}`, { tab: to })} />
    <div class=${names("x-body", detailed && "x-detailed", `x-tab-${tab}`)}>
      ${tab === "timeline" && status.steps?.length > 0 && html`<${PlanRail} steps=${status.steps} lines=${lines} selected=${chosen.step} onStep=${(/** @type {string} */ step) => select({ step: step === chosen.step ? "" : step })} onUnplanned=${() => setQuery({ tab: "plan" })} />`}
      <div class="x-main"><${View} tab=${tab} status=${status} lines=${lines} complete=${complete} chosen=${chosen} select=${select} /></div>
      ${detailed && html`<${Detail} execution=${id} ...${chosen} steps=${status.steps || []} lines=${lines} onClose=${() => select({})} onAction=${(/** @type {string} */ action) => select({ action })} />`}
    </div>
  </div>`;
}

const TABS = /** @type {[string, string][]} */ ([
  ["timeline", "Timeline"],
  ["plan", "Plan and actual"],
  ["journal", "Journal"],
  ["graph", "Graph"],
  ["undo", "Undo list"],
  ["doubt", "In doubt"],
  ["context", "Context"],
  ["coverage", "Coverage"],
]);

/** @param {any} status */
function tabsOf(status) {
  const { owed, in_doubt: doubt, undo_states: states = {} } = status.execution;
  const listed = DUE.reduce((sum, word) => sum + Number(states[word] || 0), 0);
  const counts = { undo: listed, doubt };
  const tones = { undo: owed ? "undo" : "plain", doubt: "doubt" };
  return TABS.map(([id, title]) => ({ id, title, count: counts[/** @type {keyof typeof counts} */ (id)], tone: tones[/** @type {keyof typeof tones} */ (id)] }));
}

/**
 * @param {string} id
 * @param {string} tab
 */
function useTabKeys(id, tab) {
  const index = TABS.findIndex(([each]) => each === tab);
  const go = (/** @type {number} */ by) => navigate(link(`/x/${id}`, { tab: TABS[(index + by + TABS.length) % TABS.length][0] }));
  useKeys("Execution", {
    "]": { label: "next view", run: () => go(1) },
    "[": { label: "previous view", run: () => go(-1) },
    u: { label: "back to all executions", run: () => navigate("/") },
  });
}

/** @param {{tab: string, status: any, lines: any[], complete: boolean, chosen: any, select: (next: any) => void}} props */
function View({ tab, status, lines, complete, chosen, select }) {
  const row = status.execution;
  const onAction = (/** @type {string} */ action) => select({ action });
  const onStep = (/** @type {string} */ step) => select({ step });
  if (tab === "plan") return html`<${PlanTable} steps=${status.steps || []} lines=${lines} onStep=${onStep} onAction=${onAction} />`;
  if (tab === "journal") return html`<${JournalTab} execution=${row.id} lines=${lines} selected=${Number(chosen.entry) || 0} action=${chosen.action} onEntry=${(/** @type {number} */ entry) => select({ entry })} onAction=${onAction} />`;
  if (tab === "graph") return html`<${GraphTab} steps=${status.steps || []} selected=${chosen.step} onStep=${onStep} />`;
  if (tab === "undo") return html`<${UndoListTab} execution=${row.id} onAction=${onAction} />`;
  if (tab === "doubt") return html`<${DoubtTab} execution=${row.id} onAction=${onAction} />`;
  if (tab === "context") return html`<${ContextTab} execution=${row.id} task=${row.task_id || ""} />`;
  if (tab === "coverage") return html`<${CoverageTab} coverage=${status.coverage} lines=${lines} />`;
  return html`<${TimelineTab} row=${row} lines=${lines} complete=${complete} chosen=${chosen} onAction=${onAction} />`;
}

/** @param {{row: any, lines: any[], complete: boolean, chosen: any, onAction: (id: string) => void}} props */
function TimelineTab({ row, lines, complete, chosen, onAction }) {
  const [form, setForm] = useState(localStorage.getItem("tallystick.timeline") || "timeline");
  const choose = (/** @type {string} */ next) => (localStorage.setItem("tallystick.timeline", next), setForm(next));
  const failure = firstFailure(lines);
  useKeys("Timeline", { e: { label: "go to the first failure", run: () => failure && onAction(failure.id) } });
  if (!lines.length) return complete ? html`<${Empty} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${Empty}>` : html`<${Loading} what="Loading actions" />`;
  return html`<section class="panel panel-flush timeline-panel" aria-label="Timeline">
    <div class="timeline-bar">
      <${Choice} label="Form" value=${form} choices=${[["timeline", "Timeline"], ["table", "Table"]]} onChange=${choose} />
      ${failure && html`<${Button} icon="first" onClick=${() => onAction(failure.id)}>First failure</${Button}>`}
      ${!complete && html`<span class="soft" role="status">${lines.length} actions so far…</span>`}
    </div>
    ${form === "table"
      ? html`<${ActionTable} lines=${lines} selected=${chosen.action} onSelect=${onAction} />`
      : html`<${Timeline} lines=${lines} open=${!ENDED.includes(row.status) && !row.interrupted} last=${row.interrupted || row.last} selected=${chosen.action} onSelect=${onAction} />`}
  </section>`;
}
