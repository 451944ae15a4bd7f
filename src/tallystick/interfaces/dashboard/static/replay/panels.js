/** Panels with the state at an entry: plan, open actions, undo list, decisions and approvals. */

import { html } from "../html.js";
import { link } from "../router.js";
import { Json, Panel, Status, Text, Time, Witness, stepsShort } from "../ui/index.js";
import { TextLines } from "../ui/text.js";
import { openAt, stepStatusAt, undoListAt } from "./fold.js";
import { entryLine } from "./entries.js";

/** @param {{entry: import("./entries.js").Entry, execution: string}} props */
export function EntryPanel({ entry, execution }) {
  const { word, what, text } = entryLine(entry);
  return html`<${Panel} class="now-entry" title=${word} actions=${html`<a href=${link(`/x/${execution}`, { tab: "journal", entry: entry.seq })}>entry ${entry.seq}</a>`}>
    <p class="now-what"><strong><${Text} text=${what} /></strong></p>
    ${text && html`<p class="now-text"><${TextLines} text=${text} /></p>`}
    <p class="soft now-about"><span><${Text} text=${entry.facts?.credential || entry.actor} /></span><${Witness} witness=${entry.witness} /><${Time} at=${entry.at} form="absolute" /></p>
    ${entry.body && html`<details><summary>Details</summary><${Json} value=${entry.body} label="body" /></details>`}
  <//>`;
}

/**
 * @param {{state: import("./fold.js").State, steps: import("../types.js").StepText[], entry: import("./entries.js").Entry}} props
 */
export function PlanPanel({ state, steps, entry }) {
  if (!steps.length) return null;
  const count = (/** @type {string[]} */ ...words) => steps.filter((step) => words.includes(stepStatusAt(state, step.id))).length;
  const counts = { done_steps: count("done", "undone"), undone_steps: count("undone"), skipped_steps: count("skipped"), total_steps: steps.length };
  return html`<${Panel} flush title=${`Plan, revision ${state.revision}`} actions=${html`<span class="soft num">${stepsShort(counts)}</span>`}>
    <ul class="then">
      ${steps.map((step) => {
        const progress = state.steps.get(step.id);
        return html`<li key=${step.id} class=${entry.facts?.step === step.id ? "is-now" : null}>
          <${Status} state=${stepStatusAt(state, step.id)} quiet />
          <span class="then-text"><${Text} text=${step.title || step.id} /></span>
          ${progress && progress.attempts > 1 ? html`<span class="soft">attempt ${progress.attempts}</span>` : null}
        </li>`;
      })}
    </ul>
  <//>`;
}

/** @param {{state: import("./fold.js").State, now: string}} props `now` is the id that the entry is about */
export function OpenPanel({ state, now }) {
  const open = openAt(state);
  return html`<${Panel} flush title="Open or in doubt" actions=${html`<span class="soft num">${open.length}</span>`}>
    ${open.length
      ? html`<ul class="then">${open.slice(-50).map((action) => html`<li key=${action.id} class=${action.id === now ? "is-now" : null}>
          <${Status} state=${action.state} quiet /><span class="then-text"><${Text} text=${action.summary || action.tool || action.id} /></span>
          <code class="soft">${action.id}</code></li>`)}</ul>`
      : html`<p class="then-none">No open actions.</p>`}
  <//>`;
}

/** @param {{state: import("./fold.js").State, now: string}} props */
export function UndoListPanel({ state, now }) {
  const items = undoListAt(state);
  return html`<${Panel} flush title="Undo list" actions=${html`<span class="soft num">${items.length}</span>`}>
    ${items.length
      ? html`<ul class="then">${items.slice(0, 50).map(({ action, word }) => html`<li key=${action.id} class=${action.id === now ? "is-now" : null}>
          <${Status} state=${word} quiet /><span class="then-text"><${Text} text=${action.summary || action.tool || action.id} /></span>
          ${action.state !== "ok" && html`<span class="soft">may have happened</span>`}</li>`)}</ul>`
      : html`<p class="then-none">Nothing to undo.</p>`}
  <//>`;
}

/** @param {{state: import("./fold.js").State}} props */
export function DecisionPanel({ state }) {
  const asked = [...state.approvals.entries()];
  return html`<${Panel} flush title="Decisions and approvals" actions=${html`<span class="soft num">${state.decisions.length + asked.length}</span>`}>
    ${state.decisions.length || asked.length
      ? html`<ul class="then">
          ${asked.map(([id, approval]) => html`<li key=${id} class=${approval.seq === state.seq ? "is-now" : null}><${Status} state=${approval.status} quiet /><a class="then-text" href=${link(`/approvals/${id}`)}><${Text} text=${approval.question || id} /></a></li>`)}
          ${state.decisions.toReversed().slice(0, 50).map((each) => html`<li key=${each.seq} class=${each.seq === state.seq ? "is-now" : null}>
            <strong>${each.decision.replaceAll("_", " ")}</strong><span class="then-text soft"><${Text} text=${each.why} /></span></li>`)}
        </ul>`
      : html`<p class="then-none">Nothing yet.</p>`}
  <//>`;
}
