/** `<tallystick-approvals>`: pending questions, for use in another application. */

import { pastOf } from "../approvals/answer.js";
import { Arguments } from "../approvals/call.js";
import { soonestFirst } from "../approvals/time_left.js";
import { decider } from "../approvals/decision.js";
import { Expiry, statusAt } from "../approvals/expiry.js";
import { VerdictForm, Verdicts, isCall } from "../approvals/verdict.js";
import { html, useState } from "../html.js";
import { Status } from "../ui/badge.js";
import { Empty } from "../ui/panel.js";
import { Text } from "../ui/text.js";
import { Time, useNow } from "../ui/time.js";
import { visibleText } from "../ui/visible.js";
import { TallystickElement } from "./element.js";

const MAX_APPROVALS = 100;

/** Reports each answer by an event `tallystick-decided` whose detail is `{id, ok, status, problem}`. */
export class TallystickApprovals extends TallystickElement {
  static styles = ["approvals"];

  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    const { approvals } = await source.get("/v1/approvals", { status: "pending", execution_id: this.execution, limit: MAX_APPROVALS }, signal);
    return soonestFirst(approvals);
  }

  /** @param {any} entry */
  isRelevant(entry) {
    return entry.kind.startsWith("approval_");
  }

  /** @param {import("../types.js").ApprovalView[]} approvals */
  draw(approvals) {
    const done = (/** @type {any} */ outcome) => {
      this.dispatchEvent(new CustomEvent("tallystick-decided", { detail: outcome, bubbles: true, composed: true }));
      void this.reload();
    };
    return html`<${Inbox} approvals=${approvals} decide=${decider(this.source)} onDone=${done} />`;
  }
}

/** @param {{approvals: import("../types.js").ApprovalView[], decide: import("../approvals/decision.js").Decide, onDone: (outcome: any) => void}} props */
function Inbox({ approvals, decide, onDone }) {
  const [message, setMessage] = useState("");
  const done = (/** @type {import("../approvals/decision.js").Outcome} */ outcome) => {
    setMessage(outcome.ok ? `Done: ${pastOf(outcome.status)}.` : outcome.problem);
    onDone(outcome);
  };
  return html`
    <p class="embedded-status" role="status">${message}</p>
    ${approvals.length
      ? html`<ul class="embedded-list" aria-label="Pending questions">
          ${approvals.map((approval) => html`<li key=${approval.id}><${Card} approval=${approval} decide=${decide} onDone=${done} /></li>`)}
        </ul>`
      : html`<${Empty} icon="approvals" title="No questions are waiting." />`}`;
}

/** @param {{approval: import("../types.js").ApprovalView, decide: import("../approvals/decision.js").Decide, onDone: (outcome: any) => void}} props */
function Card({ approval, decide, onDone }) {
  const [verdict, setVerdict] = useState("");
  const status = statusAt(approval, useNow());
  return html`<article class="embedded-card" aria-label=${visibleText(approval.question || approval.id)}>
    <p class="question-line"><${Status} state=${status} /><${Expiry} expires=${approval.expires} /><span class="soft"><${Time} at=${approval.asked} /></span></p>
    <h3><${Text} text=${approval.question || approval.id} /></h3>
    ${isCall(approval) && html`<p class="soft">Exactly this call: <code><${Text} text=${approval.tool || "unnamed tool"} /></code></p>
      <${Arguments} value=${approval.arguments ?? {}} />`}
    ${(status === "pending" || verdict) &&
    html`${verdict && html`<${VerdictForm} key=${verdict} approval=${approval} verdict=${verdict} decide=${decide} over=${status !== "pending"} onDone=${onDone} onCancel=${() => setVerdict("")} />`}
      ${!verdict && html`<${Verdicts} approval=${approval} onChoose=${setVerdict} />`}
      <p class="soft embedded-note">${approval.expires ? "A timeout is never a yes." : "Silence is never a yes."}</p>`}
  </article>`;
}
