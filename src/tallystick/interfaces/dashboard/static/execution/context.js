/** The context values of this execution and of its task, with history. */

import { get } from "../api.js";
import { html, useState } from "../html.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { Button, Empty, Json, Loading, Panel, ProblemNote, Text, Time } from "../ui/index.js";

/** @param {{execution: string, task: string}} props */
export function ContextTab({ execution, task }) {
  const { data, problem, reload } = useLive({ by: [execution, task], kinds: ["context_recorded", "body_erased"] }, async (signal) => {
    const asked = [{ scope: "execution", execution_id: execution }, ...(task ? [{ scope: "task", task_id: task }] : [])];
    const pages = await Promise.all(asked.map((each) => get("/v1/context", { ...each, limit: 100 }, { signal })));
    return pages.flatMap((page) => page.values);
  });
  if (problem) return html`<${ProblemNote} problem=${problem} retry=${reload} />`;
  if (!data) return html`<${Loading} />`;
  if (!data.length) return html`<${Empty} icon="context" title="No context values for this execution."><a href=${link("/context")}>Context of the whole project</a></${Empty}>`;
  return html`<div class="context-tab">${data.map((/** @type {any} */ value) => html`<${Value} key=${value.scope + value.key} value=${value} execution=${execution} />`)}</div>`;
}

/** @param {{value: any, execution: string}} props */
function Value({ value, execution }) {
  const [open, setOpen] = useState(false);
  return html`<${Panel} title=${html`<code><${Text} text=${value.key} /></code>`} actions=${html`<span class="faint">${value.type} · for this ${value.scope} · <${Text} text=${value.actor} /> · <${Time} at=${value.at} /></span>`}>
    ${value.erased || value.altered ? html`<p class="soft">${value.erased ? "Its text was erased." : "Its stored text was altered and is not shown."}</p>` : html`<${Json} value=${value.value} label=${value.key} />`}
    ${value.versions > 1 && html`<${Button} kind="ghost" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>${open ? "Hide" : "Show"} its history (${value.versions})</${Button}>`}
    ${open && html`<${History} value=${value} execution=${execution} />`}
  </${Panel}>`;
}

/** @param {{value: any, execution: string}} props */
function History({ value, execution }) {
  const scoped = value.scope === "execution" ? { execution_id: execution } : { task_id: value.scope_id };
  const { data, problem } = useLive({ by: [value.key, value.seq] }, (signal) => get(`/v1/context/${encodeURIComponent(value.key)}`, { scope: value.scope, ...scoped, limit: 50 }, { signal }));
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return html`<${Loading} />`;
  return html`<ol class="history">${data.values.slice(1).map((/** @type {any} */ each) => html`<li key=${each.seq}><p class="faint"><${Time} at=${each.at} /> by <${Text} text=${each.actor} /></p><${Json} value=${each.value} label=${`${value.key}, earlier`} /></li>`)}</ol>`;
}
