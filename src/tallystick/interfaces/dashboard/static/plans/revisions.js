/** The revisions of a plan with their reasons, and the differences between two of them. */

import { html } from "../html.js";
import { Icon } from "../icons.js";
import { link } from "../router.js";
import { Badge, Diff, Text, Time } from "../ui/index.js";
import { StepText } from "./steps.js";
import { headChanges, stepChanges } from "./words.js";

/** @typedef {import("../types.js").PlanView} Revision */

/**
 * @param {{id: string, revisions: Revision[], shown: number, from: number, counts: Map<number, number>}} props
 */
export function Revisions({ id, revisions, shown, from, counts }) {
  return html`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${revisions.map((revision) => {
      const number = revision.revision;
      const runs = counts.get(number) ?? 0;
      return html`<li key=${number} class=${number === shown ? "is-chosen" : null}>
        <a class="revision" href=${link(`/plans/${id}`, { revision: number })} aria-current=${number === shown && !from ? "true" : null}>
          <strong>Revision ${number}</strong>
          <span class="soft"><${Time} at=${revision.at} /></span>
        </a>
        <p class="soft revision-why">${revision.erased ? "Its text was erased." : revision.altered ? "Its stored text was altered and is not shown." : revision.reason || (number === 1 ? "First version." : "")}</p>
        <p class="revision-end">
          ${runs ? html`<span class="soft">${runs} ${runs === 1 ? "execution" : "executions"}</span>` : html`<span class="faint">not carried out</span>`}
          ${number > 1 && html`<a href=${link(`/plans/${id}`, { from: number - 1, to: number })} aria-current=${from === number - 1 && shown === number ? "true" : null}>
            what changed<span class="visually-hidden"> in revision ${number}</span></a>`}
        </p>
      </li>`;
    })}
  </ol>`;
}

const MARKS = /** @type {Record<string, [string, string, string]>} */ ({
  added: ["ok", "unplanned", "added"],
  removed: ["failed", "cancelled", "removed"],
  changed: ["doubt", "edit", "changed"],
  moved: ["running", "down", "moved"],
  same: ["idle", "check", "unchanged"],
});

/** @param {{before: Revision, after: Revision}} props */
export function RevisionDiff({ before, after }) {
  const rows = stepChanges(before.steps ?? [], after.steps ?? []);
  const head = headChanges(before, after);
  const touched = rows.filter((row) => row.change !== "same").length;
  return html`<div class="revision-diff">
    <p class="note">
      <strong>Revision ${before.revision} to ${after.revision}.</strong>
      ${after.reason && html` <${Text} text=${after.reason} />`}
      <span class="soft"> ${touched} of ${rows.length} steps differ${head.length ? `, and ${head.map((each) => each.name).join(", ")}` : ""}.</span>
    </p>
    ${head.length ? html`<${Diff} before=${Object.fromEntries(head.map((each) => [each.name, each.before]))}
      after=${Object.fromEntries(head.map((each) => [each.name, each.after]))} titles=${[`revision ${before.revision}`, `revision ${after.revision}`]} />` : null}
    <h2 class="visually-hidden">Steps</h2>
    <ol class="steps">
      ${rows.map((row) => html`<li key=${row.id} class=${`step-${row.change}`}>
        <div class="step-body"><${ChangedStep} row=${row} titles=${[`revision ${before.revision}`, `revision ${after.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`;
}

/** @param {{row: ReturnType<typeof stepChanges>[number], titles: [string, string]}} props */
function ChangedStep({ row, titles }) {
  const [tone, icon, word] = MARKS[row.change];
  const step = row.after ?? row.before;
  const mark = html`<${Badge} tone=${tone} icon=${icon}>${word}<//>`;
  if (row.change === "added") return html`<p class="step-mark">${mark}</p><${StepText} step=${step} />`;
  return html`<div class="step-head">
      <h3><${Text} text=${step?.title || row.id} /></h3><code class="soft"><${Text} text=${row.id} /></code><span class="step-end">${mark}</span>
    </div>
    ${row.change === "changed" && html`<${Diff} before=${row.before} after=${row.after} titles=${titles} />`}
    ${row.change === "removed" && html`<p class="soft"><${Icon} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`;
}
