/** The tab In doubt: actions with an unknown outcome, and how to settle each. */

import { SettleActs, useKeptRows } from "../acting/index.js";
import { get } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { Empty, Json, Loading, Panel, ProblemNote, Status, Text, Time } from "../ui/index.js";

/** @param {{execution: string, onAction: (id: string) => void}} props */
export function DoubtTab({ execution, onAction }) {
  const { data, problem, reload } = useLive({ by: [execution] }, (signal) => get("/v1/in-doubt", { execution_id: execution, limit: 100 }, { signal }));
  const items = useKeptRows(data?.in_doubt ?? []);
  if (!data) return problem ? html`<${ProblemNote} problem=${problem} retry=${reload} />` : html`<${Loading} />`;
  if (!items.length) return html`<${Empty} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${Empty}>`;
  return html`<div class="doubt-tab">
    <${ProblemNote} problem=${problem} retry=${reload} />
    <p class="lead"><${Icon} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${items.map((/** @type {any} */ item) => html`<${Item} key=${item.action_id} item=${item} onAction=${onAction} />`)}
  </div>`;
}

/** @param {{item: any, onAction: (id: string) => void}} props */
function Item({ item, onAction }) {
  return html`<${Panel} class="doubt-item" title=${html`<${Text} text=${item.summary || item.tool || item.action_id} />`} actions=${html`<${Status} state="in_doubt" />`}>
    <p class="soft">Since <${Time} at=${item.since} />: ${item.why}. ${item.kind === "undo" ? "It is an undo. " : ""}${item.tool && html`<code><${Text} text=${item.tool} /></code> `}<button type="button" class="row-button mono" onClick=${() => onAction(item.action_id)}>${item.action_id}</button></p>
    ${item.arguments && html`<${Json} value=${item.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof item.probe === "string"
      ? html`<p><${Text} text=${item.probe} /></p>`
      : item.probe?.tool || item.probe?.words
        ? html`${item.probe.words && html`<p><${Text} text=${item.probe.words} /></p>`}${item.probe.tool && html`<p><code><${Text} text=${item.probe.tool} /></code></p><${Json} value=${item.probe.arguments || {}} label="arguments of the probe" />`}`
        : html`<p>No probe is recorded. Look for traces of <code><${Text} text=${item.tool || "the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${SettleActs} action=${item.action_id} doubtful=${!item.gone} />
  </${Panel}>`;
}
