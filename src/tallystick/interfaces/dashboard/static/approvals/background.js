/** What a person wants to know beside a question: why it is asked, the plan's reason, and what was done before it. */

import { get } from "../api.js";
import { nameOf } from "../execution/actions.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { Panel, Status, Text, Time } from "../ui/index.js";

const ACTIONS = 5;

/** @param {{approval: import("../types.js").ApprovalView}} props */
export function Background({ approval }) {
  const { data } = useLive({ by: [approval.id], kinds: ["body_erased"] }, (signal) => load(approval, signal));
  if (!data || !approval.execution_id) return null;
  const { why, plan, actions } = data;
  return html`<aside class="background" aria-label="Background">
    ${why && html`<section><h3>Why it is asked</h3><p><${Text} text=${why} /></p></section>`}
    ${plan && (plan.reasoning || plan.goal) && html`<section><h3>The plan</h3>
      <p><a href=${link(`/plans/${plan.id}`)}><${Text} text=${plan.title || plan.id} /></a></p>
      ${plan.goal && html`<p class="soft">Goal: <${Text} text=${plan.goal} /></p>`}
      ${plan.reasoning && html`<p class="soft">Reason: <${Text} text=${plan.reasoning} /></p>`}
      ${plan.reason && html`<p class="soft">Revised: <${Text} text=${plan.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${actions.length
        ? html`<ol class="background-actions">${actions.map((/** @type {any} */ line) => html`<li key=${line.id}>
            <a href=${link(`/x/${approval.execution_id}`, { action: line.id })}><${Text} text=${nameOf(line)} /></a>
            <span class="background-state"><${Status} state=${line.state} quiet /><span class="faint"><${Time} at=${line.begun} /></span></span>
          </li>`)}</ol>`
        : html`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`;
}

/** @param {import("../types.js").ApprovalView} approval @param {AbortSignal} signal */
async function load(approval, signal) {
  const execution = approval.execution_id;
  if (!execution) return { why: "", plan: null, actions: [] };
  const [why, plan, page] = await Promise.all([
    reasonOf(approval, signal),
    approval.plan_id ? get(`/v1/plans/${encodeURIComponent(approval.plan_id)}`, {}, { signal }).catch(() => null) : null,
    get("/v1/actions", { execution_id: execution, until: approval.asked, newest_first: true, limit: ACTIONS }, { signal }),
  ]);
  const newest = plan?.revisions?.reduce((/** @type {any} */ one, /** @type {any} */ other) => (other.revision > one.revision ? other : one));
  return { why, plan: newest || null, actions: page.actions };
}

/** Why the agent asks: the decision that asked, which follows the question. @param {import("../types.js").ApprovalView} approval @param {AbortSignal} signal */
async function reasonOf(approval, signal) {
  const asked = await get("/v1/entries", { id: approval.id, execution_id: approval.execution_id, limit: 1 }, { signal });
  const seq = asked.entries[0]?.seq;
  if (!seq) return "";
  const next = await get("/v1/entries", { execution_id: approval.execution_id, after: seq, limit: 1 }, { signal });
  const entry = next.entries[0];
  return entry?.facts?.approval_id === approval.id ? entry.body?.why || "" : "";
}
