/** The page of one execution: its work as a waterfall or a graph, journal, undo list, in doubt, context and coverage. */

import { get } from "../api.js";
import { ContextTab } from "../execution/context.js";
import { CoverageTab } from "../execution/coverage.js";
import { Detail } from "../execution/detail.js";
import { DoubtTab } from "../execution/doubt.js";
import { Header } from "../execution/header.js";
import { QuestionsProvider, useLoadedQuestions } from "../execution/questions.js";
import { rowActionIn } from "../execution/row_action.js";
import { UndoListTab } from "../execution/undo_list.js";
import { WorkView } from "../execution/work.js";
import { html, names, useEffect } from "../html.js";
import { JournalTab } from "../journal/journal.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { setTitle } from "../page_title.js";
import { link, navigate, setQuery } from "../router.js";
import { Loading, ProblemNote, Tabs, visibleText } from "../ui/index.js";

const STEPS = 10_000;
const DUE = ["not_undone", "undoing", "in_doubt", "failed"];

/** @param {{id: string, query: URLSearchParams}} props */
export function Page({ id, query }) {
  const { data: status, problem, reload } = useLive({ by: [id], execution: id }, (signal) =>
    get(`/v1/executions/${encodeURIComponent(id)}/status`, { limit: STEPS }, { signal }),
  );
  useEffect(() => {
    if (status) setTitle(visibleText(status.execution.title || id), true);
  }, [status?.execution.title]);
  const questions = useLoadedQuestions(status?.execution ?? { id });
  const tab = query.get("tab") || "work";
  useTabKeys(id, tab);
  if (!status) return html`<div class="page"><h1 class="visually-hidden">${id}</h1>${problem ? html`<${ProblemNote} problem=${problem} retry=${reload} />` : html`<${Loading} what="Loading the execution" />`}</div>`;
  const chosen = { action: query.get("action") || "", step: query.get("step") || "", entry: query.get("entry") || "" };
  const select = (/** @type {Partial<typeof chosen>} */ next) => setQuery({ action: "", step: "", entry: "", ...next });
  const detailed = Boolean(chosen.action || chosen.step || chosen.entry);
  return html`<${QuestionsProvider} value=${questions}><div class="page x-page">
    <${Header} status=${status} query=${query} />
    <${ProblemNote} problem=${problem} retry=${reload} />
    <${Tabs} label="Views of this execution" value=${tab} tabs=${tabsOf(status)} href=${(/** @type {string} */ to) => tabLink(id, to)} />
    <div class=${names("x-body", detailed && "x-detailed", `x-tab-${tab}`)}>
      <div class="x-main"><${View} tab=${tab} status=${status} query=${query} chosen=${chosen} select=${select} /></div>
      ${detailed && html`<${Detail} execution=${id} status=${status.execution.status} ...${chosen} steps=${status.steps || []} onClose=${() => select({})} onAction=${(/** @type {string} */ action) => select({ action })} />`}
    </div>
  </div></${QuestionsProvider}>`;
}

const TABS = /** @type {[string, string][]} */ ([
  ["work", "Work"],
  ["journal", "Journal"],
  ["undo", "Undo list"],
  ["doubt", "In doubt"],
  ["context", "Context"],
  ["coverage", "Coverage"],
]);

/** @param {string} id @param {string} tab the first one needs no parameter */
const tabLink = (id, tab) => link(`/x/${id}`, { tab: tab === TABS[0][0] ? "" : tab });

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
  const go = (/** @type {number} */ by) => navigate(tabLink(id, TABS[(index + by + TABS.length) % TABS.length][0]));
  useKeys("Execution", {
    "]": { label: "next view", run: () => go(1) },
    "[": { label: "previous view", run: () => go(-1) },
    u: { label: "back to all executions", run: () => navigate("/executions") },
  });
}

/** @param {{tab: string, status: any, query: URLSearchParams, chosen: any, select: (next: any) => void}} props */
function View({ tab, status, query, chosen, select }) {
  const row = status.execution;
  const onAction = (/** @type {string} */ action) => select({ action });
  if (tab === "journal") return html`<${JournalTab} execution=${row.id} selected=${Number(chosen.entry) || 0} action=${chosen.action} onEntry=${(/** @type {number} */ entry) => select({ entry })} onAction=${onAction} />`;
  if (tab === "undo") return html`<${UndoListTab} execution=${row.id} onAction=${onAction} />`;
  if (tab === "doubt") return html`<${DoubtTab} execution=${row.id} onAction=${onAction} />`;
  if (tab === "context") return html`<${ContextTab} execution=${row.id} task=${row.task_id || ""} />`;
  if (tab === "coverage") return html`<${CoverageTab} coverage=${status.coverage} />`;
  return html`<${WorkView} status=${status} query=${query} chosen=${chosen} select=${select} row_actions=${rowActionIn(row)} />`;
}
