/** One answer to several questions: each is decided separately, and each outcome is shown. */

import { get, post } from "../api.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Button, Dialog, pretty } from "../ui/index.js";
import { Text, TextLines } from "../ui/text.js";
import { pastOf } from "./answer.js";
import { decider, newKey } from "./decision.js";

const decide = decider({ get, post });

/**
 * @param {{approvals: import("../types.js").ApprovalView[], onVerdict: (verdict: "approve" | "reject") => void,
 *   onClear: () => void}} props
 */
export function BatchBar({ approvals, onVerdict, onClear }) {
  return html`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${approvals.length} selected</strong>
    <${Button} kind="primary" icon="check" onClick=${() => onVerdict("approve")}>Accept<//>
    <${Button} icon="close" onClick=${() => onVerdict("reject")}>Reject<//>
    <${Button} kind="ghost" onClick=${onClear}>Clear<//>
  </div>`;
}

/**
 * @param {object} props
 * @param {import("../types.js").ApprovalView[]} props.approvals as they were selected
 * @param {"approve" | "reject"} props.verdict
 * @param {(decided: string[]) => void} props.onClose with the ids that were decided
 */
export function BatchDialog({ approvals, verdict, onClose }) {
  const [reason, setReason] = useState("");
  const [outcomes, setOutcomes] = useState(/** @type {Record<string, import("./decision.js").Outcome>} */ ({}));
  const [sent, setSent] = useState(false);
  const [keys] = useState(() => Object.fromEntries(approvals.map((each) => [each.id, newKey()])));
  const accepts = verdict === "approve";
  const count = Object.keys(outcomes).length;
  const close = () => onClose(Object.values(outcomes).filter((each) => each.ok).map((each) => each.id));

  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setSent(true);
    for (const approval of approvals) {
      const body = { verdict, ...(reason.trim() ? { reason: reason.trim() } : {}) };
      const outcome = await decide(approval.id, body, keys[approval.id]);
      setOutcomes((before) => ({ ...before, [approval.id]: outcome }));
    }
  };

  return html`<${Dialog} wide title=${`${accepts ? "Accept" : "Reject"} ${approvals.length} questions`} onClose=${close}>
    <form class="batch" onSubmit=${send}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${approvals.map((approval) => html`<li key=${approval.id}>
          <div class="batch-question">
            <span><${Text} text=${approval.question} /></span>
            ${approval.tool && html`<pre class="batch-call" tabindex="0"><${Text} text=${approval.tool} /> <${TextLines} text=${pretty(approval.arguments ?? {})} /></pre>`}
          </div>
          <${Outcome} outcome=${outcomes[approval.id]} sent=${sent} />
        </li>`)}
      </ul>
      ${sent
        ? html`<p role="status">${count < approvals.length ? `Deciding ${count + 1} of ${approvals.length}…` : summary(outcomes)}</p>
            <${Button} kind="primary" disabled=${count < approvals.length} onClick=${close}>Close<//>`
        : html`<label class="field"><span>One reason for all</span>
              <input type="text" value=${reason} maxlength="2000" onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
            <div class="verdict-send">
              <${Button} kind=${accepts ? "primary" : "danger"} type="submit" icon=${accepts ? "check" : "close"}>
                ${accepts ? "Accept" : "Reject"} all ${approvals.length}
              <//>
              <${Button} kind="ghost" onClick=${close}>Not yet<//>
            </div>`}
    </form>
  <//>`;
}

/** @param {{outcome?: import("./decision.js").Outcome, sent: boolean}} props */
function Outcome({ outcome, sent }) {
  if (!outcome) return html`<span class="batch-outcome faint">${sent ? "waiting" : ""}</span>`;
  return html`<span class=${`batch-outcome tone-${outcome.ok ? "ok" : "failed"}`}>
    <${Icon} name=${outcome.ok ? "check" : "warning"} /> ${outcome.ok ? pastOf(outcome.status) : outcome.problem}
  </span>`;
}

/** @param {Record<string, import("./decision.js").Outcome>} outcomes */
function summary(outcomes) {
  const all = Object.values(outcomes);
  const done = all.filter((each) => each.ok).length;
  return done === all.length ? `All ${done} were decided.` : `${done} of ${all.length} were decided; the others show the reason.`;
}
