/** The list of webhooks: where each goes, what it hears of, how far it has come, and its actions. */

import { html } from "../html.js";
import { link } from "../router.js";
import { Button, Status, Text, Time } from "../ui/index.js";
import { ACTIONS } from "./actions.js";

/** @typedef {import("../types.js").Webhook} Webhook */

/** @param {{webhooks: Webhook[], onChoose: (action: string, webhook: Webhook) => void}} props */
export function Rows({ webhooks, onChoose }) {
  return html`<ul class="webhooks" aria-label="Webhooks">
    ${webhooks.map((each) => html`<li key=${each.name}>
      <div>
        <p><strong><${Text} text=${each.name} /></strong> <${Status} state=${each.state} /> · <code><${Text} text=${each.host} /></code></p>
        <p class="soft">Hears of <${Filter} webhook=${each} />.</p>
        <p class="soft"><${Progress} webhook=${each} /></p>
        ${each.last_error && html`<p class="webhook-error">Last error: <${Text} text=${each.last_error} />${each.last_error_at && html`, <${Time} at=${each.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(ACTIONS).map(([name, { label, suits }]) => suits(each)
          && html`<${Button} onClick=${() => onChoose(name, each)} aria-label=${`${label} ${each.name}`}>${label}<//>`)}
      </div>
    </li>`)}
  </ul>`;
}

/** @param {{webhook: Webhook}} props */
function Filter({ webhook }) {
  const { kinds = [], execution_id: execution, task_id: task, tool, actor } = webhook;
  const parts = [
    webhook.needs_person && "what a person has to act on",
    kinds.length > 0 && html`entries of ${kinds.length > 1 ? "the kinds" : "the kind"} <code>${kinds.join(", ")}</code>`,
    execution && html`execution <a href=${link(`/x/${execution}`)}><code>${execution}</code></a>`,
    task && html`task <${Text} text=${task} />`,
    tool && html`calls of <code><${Text} text=${tool} /></code>`,
    actor && html`what <${Text} text=${actor} /> recorded`,
  ].filter(Boolean);
  return parts.length ? html`${parts.map((part, index) => html`${index > 0 && " and "}${part}`)}` : html`every entry`;
}

/** @param {{webhook: Webhook}} props */
function Progress({ webhook }) {
  const { delivered = 0, behind = 0, waiting = 0, dead = 0 } = webhook;
  const parts = [
    `${delivered} delivered`,
    behind > 0 && `${behind} ${behind === 1 ? "entry" : "entries"} behind`,
    waiting > 0 && `${waiting} waiting`,
    dead > 0 && `${dead} given up`,
    !webhook.delivering && "no process delivers now",
  ].filter(Boolean);
  return html`${parts.join(", ")}${webhook.last_success && html`, the last one <${Time} at=${webhook.last_success} />`}${
    webhook.next_attempt && html`, next attempt at <${Time} at=${webhook.next_attempt} form="absolute" />`}`;
}
