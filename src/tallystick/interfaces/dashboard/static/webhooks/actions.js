/** What can be done with a webhook, each with its form. */

import { get, post } from "../api.js";
import { html, useState } from "../html.js";
import { useLive } from "../live.js";
import { journal, link } from "../router.js";
import { Button, Loading, ProblemNote, Text, Time, say } from "../ui/index.js";
import { Secret } from "./add.js";

/** @typedef {import("../types.js").Webhook} Webhook */
/** @typedef {{webhook: Webhook, onDone: () => void}} FormProps */

/** @type {Record<string, {label: string, title: string, suits: (webhook: Webhook) => boolean, form: (props: FormProps) => any}>} */
export const ACTIONS = {
  test: { label: "Test", title: "Test", suits: (webhook) => webhook.state !== "disabled", form: TestForm },
  retry: { label: "Try now", title: "Try at once:", suits: (webhook) => webhook.state !== "active" || !!webhook.waiting, form: RetryForm },
  dead: { label: "Given up", title: "Given up:", suits: (webhook) => !!webhook.dead, form: DeadForm },
  replay: { label: "Replay", title: "Replay", suits: () => true, form: ReplayForm },
  rotate: { label: "New secret", title: "New secret for", suits: () => true, form: RotateForm },
  remove: { label: "Remove", title: "Remove", suits: () => true, form: RemoveForm },
};

/**
 * A form that asks once, sends one request, and shows its problem in place.
 * @param {{path: string, body?: any, button: string, kind?: string, done: (answer: any) => void, children?: any}} props
 */
function Ask({ path, body, button, kind = "primary", done, children }) {
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    await post(path, body || {}).then(done, setProblem);
    setBusy(false);
  };
  return html`<form class="webhook-form" onSubmit=${send}>
    ${children}
    <${ProblemNote} problem=${problem} />
    <${Button} kind=${kind} type="submit" disabled=${busy}>${button}<//>
  </form>`;
}

const pathOf = (/** @type {Webhook} */ webhook, /** @type {string} */ what) => `/v1/webhooks/${encodeURIComponent(webhook.name)}/${what}`;

/** @param {FormProps} props */
function TestForm({ webhook, onDone }) {
  const done = () => (say("The test is recorded, and is being delivered.", "ok"), onDone());
  return html`<${Ask} path=${pathOf(webhook, "test")} button="Send a test" done=${done}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`;
}

/** @param {FormProps} props */
function RetryForm({ webhook, onDone }) {
  return html`<${Ask} path=${pathOf(webhook, "replay")} button="Try now" done=${() => (say("It tries at once.", "ok"), onDone())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`;
}

/** @param {FormProps} props */
function ReplayForm({ webhook, onDone }) {
  const [since, setSince] = useState("");
  return html`<${Ask} path=${pathOf(webhook, "replay")} body=${{ since: Number(since) }} button="Deliver again" done=${() => (say("They are delivered again.", "ok"), onDone())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${since} onInput=${(/** @type {any} */ event) => setSince(event.target.value)} /></label>
  <//>`;
}

/** @param {FormProps} props */
function DeadForm({ webhook, onDone }) {
  const { data, problem } = useLive({ kinds: ["webhook_"], by: [journal(), webhook.name] }, (signal) => get(pathOf(webhook, "dead"), { limit: 100 }, { signal }));
  return html`<${ProblemNote} problem=${problem} />
    ${!data
      ? !problem && html`<${Loading} />`
      : html`<ul class="dead-deliveries">${data.deliveries.map((/** @type {any} */ each) => html`<li key=${each.seq}>
          <p>Entry ${each.seq}${each.execution_id && html` of <a href=${link(`/x/${each.execution_id}`)}><code>${each.execution_id}</code></a>`}, after ${each.attempts} attempts, <${Time} at=${each.at} /></p>
          <p class="soft"><${Text} text=${each.error} /></p></li>`)}</ul>`}
    ${data?.next_cursor && html`<p class="soft">The first 100 of ${webhook.dead}.</p>`}
    <${Ask} path=${pathOf(webhook, "replay")} body=${{ dead: true }} button="Deliver them again" done=${() => (say("They are delivered again.", "ok"), onDone())} />`;
}

/** @param {FormProps} props */
function RotateForm({ webhook, onDone }) {
  const [made, setMade] = useState(/** @type {any} */ (null));
  if (made) return html`<${Secret} made=${made} onDone=${onDone} />`;
  return html`<${Ask} path=${pathOf(webhook, "rotation")} button="Make a new secret" done=${setMade}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`;
}

/** @param {FormProps} props */
function RemoveForm({ webhook, onDone }) {
  return html`<${Ask} path=${pathOf(webhook, "removal")} button="Remove it" kind="danger" done=${() => (say("It is removed.", "ok"), onDone())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`;
}
