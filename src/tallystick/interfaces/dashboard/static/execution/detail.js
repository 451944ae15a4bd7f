/** The panel with all details of one action, step or entry. */

import { RetryActs, SettleActs, mayRetry } from "../acting/index.js";
import { get } from "../api.js";
import { html, useEffect, useRef } from "../html.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { Button, Copy, Diff, Duration, Facts, HandleText, Json, Loading, LongText, ProblemNote, Status, Text, Time, Witness } from "../ui/index.js";
import { EntryDetail, EntryList } from "./entry.js";
import { StepQuestion } from "./questions.js";

/**
 * @param {{execution: string, status: string, action: string, step: string, entry: string, steps: any[],
 *   onClose: () => void, onAction: (id: string) => void}} props
 */
export function Detail({ execution, status, action, step, entry, steps, onClose, onAction }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useKeys("Detail", { Escape: { label: "close the detail", run: onClose } });
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const lost = !document.activeElement || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    if (matchMedia("(max-width: 1000px)").matches) box.current?.focus();
  }, [action, step, entry]);
  return html`<aside class="detail" aria-label="Detail" ref=${box} tabindex="-1">
    <div class="detail-close"><${Copy} text=${location.href} what="link to this" /><${Button} kind="ghost" icon="close" label="Close the detail" onClick=${onClose} /></div>
    ${action
      ? html`<${ActionDetail} key=${action} id=${action} execution=${execution} onAction=${onAction} />`
      : entry
        ? html`<${EntryDetail} key=${entry} seq=${Number(entry)} onAction=${onAction} />`
        : html`<${StepDetail} key=${step} execution=${execution} status=${status} step=${steps.find((each) => each.id === step)} onAction=${onAction} />`}
  </aside>`;
}

/** @param {{id: string, execution: string, onAction: (id: string) => void}} props */
function ActionDetail({ id, execution, onAction }) {
  const { data, problem, reload } = useLive({ by: [id], execution }, (signal) =>
    Promise.all([get(`/v1/actions/${encodeURIComponent(id)}`, {}, { signal }), get("/v1/entries", { id, execution_id: execution, limit: 50 }, { signal })]),
  );
  if (!data) return problem ? html`<${ProblemNote} problem=${problem} retry=${reload} />` : html`<${Loading} />`;
  const [action, page] = data;
  const { begin_body: begin = {}, end_body: end = {} } = action;
  const goes = (/** @type {string} */ other) => html`<button type="button" class="row-button mono" onClick=${() => onAction(other)}>${other}</button>`;
  const before = end.before ?? begin.before;
  const trace = page.entries.find((/** @type {any} */ each) => each.trace)?.trace;
  return html`<div class="detail-body">
    <${ProblemNote} problem=${problem} retry=${reload} />
    <h2><${Text} text=${begin.summary || action.tool || action.id} /></h2>
    <p class="detail-tags"><${Status} state=${action.state} /><${Witness} witness=${action.witness || "claimed"} />${action.kind === "undo" && html`<${Status} state="unwinding" word="undo" />`}</p>
    <${Facts}
      rows=${[
        ["action", html`<${HandleText} id=${action.id} />`],
        ["tool", action.tool && html`<code><${Text} text=${action.tool} /></code>`],
        ["step", action.step && html`<a href=${link(location.pathname + location.search, { step: action.step, action: "" })}><code><${Text} text=${action.step} /></code></a>`],
        ["by", action.actor && html`<${Text} text=${action.actor} />`],
        ["attempt", (action.attempt || 1) > 1 ? String(action.attempt) : ""],
        ["begun", html`<${Time} at=${action.begun} />`],
        ["took", action.state === "skipped" ? "" : action.lost && action.ended ? "no end was seen" : action.ended ? html`<${Duration} from=${action.begun} to=${action.ended} />` : action.state === "in_doubt" ? "no end is recorded" : html`<${Duration} from=${action.begun} />`],
        ["effect", action.effect],
        ["undo", action.undo_state && html`<${Status} state=${action.undo_state} quiet />`],
        ["temporary", action.temporary && "yes"],
        ["recorded", action.after_the_fact && "after the fact"],
        ["permission", action.permission],
        ["repeats", action.repeats && html`${goes(action.repeats)}, which was in doubt`],
        ["repeated by", action.repeated_by?.length ? goes(action.repeated_by.at(-1)) : ""],
        ["undoes", action.undoes && goes(action.undoes)],
        ["undone by", action.undone_by && goes(action.undone_by)],
        ["trace", trace && html`<code>${trace}</code>`],
      ]}
    />
    <${SettleActs} action=${action.id} doubtful=${action.state === "in_doubt"} />
    <${Part} title="Error">${end.error && html`<${LongText} text=${end.error} />`}</${Part}>
    <${Part} title="Arguments">${"arguments" in begin && html`<${Json} value=${begin.arguments} label="arguments" />`}</${Part}>
    <${Part} title="Result">${"result" in end && html`<${Json} value=${end.result} label="result" />`}</${Part}>
    <${Part} title="Before and after">${before !== undefined && end.after !== undefined && html`<${Diff} before=${before} after=${end.after} />`}</${Part}>
    <${Part} title="Before">${before !== undefined && end.after === undefined && html`<${Json} value=${before} label="before" />`}</${Part}>
    <${Part} title="After">${before === undefined && end.after !== undefined && html`<${Json} value=${end.after} label="after" />`}</${Part}>
    <${Part} title="Why it was repeated">${begin.again && html`<${Text} text=${begin.again} />`}</${Part}>
    <${Part} title="Evidence">${end.evidence && html`<${Text} text=${end.evidence} />`}</${Part}>
    <${Part} title="Outcome">${end.summary && html`<${Text} text=${end.summary} />`}</${Part}>
    <${Part} title="How to undo it">${begin.undo && html`<${Json} value=${begin.undo} label="undo" />`}</${Part}>
    <${EntryList} entries=${page.entries} />
  </div>`;
}

/** @param {{execution: string, status: string, step: any, onAction: (id: string) => void}} props */
function StepDetail({ execution, status, step, onAction }) {
  const { data } = useLive({ by: [execution, step?.id], execution }, (signal) =>
    step ? get(`/v1/executions/${encodeURIComponent(execution)}/work`, { step: step.id, unfolded: true }, { signal }) : Promise.resolve({ rows: [] }),
  );
  const lines = data?.rows || [];
  if (!step) return html`<p class="soft">The current plan has no such step.</p>`;
  return html`<div class="detail-body">
    <h2><${Text} text=${step.title || step.id} /></h2>
    <p class="detail-tags"><${Status} state=${step.actual} /></p>
    <${Facts}
      rows=${[
        ["step", html`<code>${step.id}</code>`],
        ["tool", step.tool && html`<code><${Text} text=${step.tool} /></code>`],
        ["after", step.after?.length && html`<code>${step.after.join(", ")}</code>`],
        ["can be undone", step.cancellable],
        ["estimate", Number(step.estimate) ? `${Number(step.estimate)} s` : ""],
        ["decided", step.decided],
      ]}
    />
    <${StepQuestion} step=${step.id} />
    <${RetryActs} execution=${execution} step=${step.id} failed=${step.actual === "failed" && mayRetry(status)} />
    <${Part} title=${`Attempts (${lines.length})`}>
      ${lines.length
        ? html`<ul class="plain-list">${lines.map((/** @type {any} */ line) => html`<li key=${line.id}><${Status} state=${line.state} /><button type="button" class="row-button" onClick=${() => onAction(line.id)}>${line.action_kind === "undo" ? "undo" : `attempt ${line.attempts || 1}`}</button><span class="faint">${line.actor}</span><${Time} at=${line.begun} /></li>`)}</ul>`
        : html`<p class="soft">No attempt yet.</p>`}
    </${Part}>
  </div>`;
}

/** A titled part; null without children. @param {{title: string, children?: any}} props */
export function Part({ title, children }) {
  return children ? html`<section class="part"><h3>${title}</h3>${children}</section>` : null;
}
