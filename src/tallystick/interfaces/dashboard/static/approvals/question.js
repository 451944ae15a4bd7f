/** All details of one question: the exact call, the time limit, and the answer. */

import { get, post } from "../api.js";
import { html, names, useEffect, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { isImport, link } from "../router.js";
import { Copy, Diff, Facts, HandleText, Panel, Status, Text, Time } from "../ui/index.js";
import { useNow } from "../ui/time.js";
import { Background } from "./background.js";
import { Call } from "./call.js";
import { callText } from "./call_fields.js";
import { CredentialForm } from "./credential.js";
import { decider } from "./decision.js";
import { Expiry, statusAt } from "./expiry.js";
import { VerdictForm, Verdicts, isCall } from "./verdict.js";

const decide = decider({ get, post });

/**
 * @param {object} props
 * @param {import("../types.js").ApprovalView} props.approval
 * @param {boolean | null} props.mayDecide null while it is loading
 * @param {string} props.verdict chosen by a button or a key, not sent yet
 * @param {(verdict: string) => void} props.onVerdict
 * @param {() => void} props.onSend the answer was sent
 * @param {(outcome: import("./decision.js").Outcome) => void} props.onDone
 * @param {string} props.rejection why the last answer was not accepted
 */
export function Question({ approval, mayDecide, verdict, onVerdict, onSend, onDone, rejection }) {
  const status = statusAt(approval, useNow());
  const pending = status === "pending";
  return html`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${Status} state=${status} />
        ${approval.status === "pending" && html`<${Expiry} expires=${approval.expires} />`}
        <span class="question-handle"><${HandleText} id=${approval.id} /></span>
      </div>
      <h2 id="question-title"><${Text} text=${approval.question || "Question without text"} /></h2>
      <p class="soft">
        Asked ${approval.actor && html`by <strong><${Text} text=${approval.actor} /></strong> `}<${Time} at=${approval.asked} />
        ${approval.execution_id && html` in <a href=${link(`/x/${approval.execution_id}`)}><${Text} text=${approval.title || approval.execution_id} /></a>`}
        ${approval.step && html`, for the step <a href=${link(`/x/${approval.execution_id}`, { step: approval.step })}><${Text} text=${approval.step_title || approval.step} /></a>`}
      </p>
    </header>
    <div class="question-body">
      <div class="question-main">
        ${isCall(approval) ? html`<${Call} approval=${approval} />` : !approval.unbound && html`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${approval.unbound && html`<p class="warning-note"><${Icon} name="warning" /> This approval is not bound to an exact call. It grants <${Text} text=${approval.unbound} />.</p>`}
        ${approval.options?.length && !(pending && mayDecide)
          ? html`<p class="soft">Suggested answers: ${approval.options.map((option, at) => html`${at ? ", " : ""}<strong><${Text} text=${option} /></strong>`)}</p>`
          : null}
        ${pending ? null : html`<${Decided} approval=${approval} status=${status} />`}
        <${Evidence} approval=${approval} />
      </div>
      <${Background} approval=${approval} />
    </div>
    <div class=${names("dock", (pending || verdict) && "dock-pending")}>
      ${rejection && html`<p class="warning-note" role="alert"><${Icon} name="warning" /> ${rejection}</p>`}
      ${(pending || verdict) && html`<${Answering} over=${!pending} approval=${approval} mayDecide=${mayDecide} verdict=${verdict} onVerdict=${onVerdict} onSend=${onSend} onDone=${onDone} />`}
    </div>
  </article>`;
}

/** The decision bar, which stays on the screen; with `over`, an open form that nothing can be sent from. @param {any} props */
function Answering({ approval, over, mayDecide, verdict, onVerdict, onSend, onDone }) {
  const last = useRef("");
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  const refused = useRef(false);
  useEffect(() => {
    if (mayDecide && refused.current && !verdict) /** @type {HTMLElement | null | undefined} */ (bar.current?.querySelector(".verdicts"))?.focus(); // the form of the credential had the focus
    refused.current = mayDecide === false;
  }, [mayDecide]);
  if (verdict) last.current = verdict;
  if (isImport()) return html`<p class="note"><${Icon} name="import" /> This is an imported export: nothing can be decided in it.</p>`;
  if (!verdict && (mayDecide === null || over)) return null;
  return html`<div class=${names("answering", verdict && "is-open")} ref=${bar}>
    ${mayDecide && isCall(approval) && html`<p class="dock-call" title="The call in short; above, all of it"><${Text} text=${callText(approval.tool || "", approval.arguments)} /></p>`}
    ${verdict
      ? html`<${VerdictForm} key=${approval.id + verdict} approval=${approval} verdict=${verdict} decide=${decide} over=${over} may=${Boolean(mayDecide)} onSend=${onSend} onDone=${onDone} onCancel=${() => onVerdict("")} />`
      : mayDecide && html`<div class="answering-bar">
          <${Verdicts} approval=${approval} onChoose=${onVerdict} last=${last.current} />
          <p class="soft answering-note">${approval.expires ? "After the time limit it expires: a timeout is never a yes." : "There is no time limit. Silence is never a yes."}</p>
        </div>`}
    ${mayDecide === false && !over && html`${verdict && html`<p class="note" role="status"><${Icon} name="save" /> What you typed is kept in this browser.</p>`}<${CredentialForm} />`}
  </div>`;
}

/** @param {{approval: import("../types.js").ApprovalView, status: string}} props */
function Decided({ approval, status }) {
  if (status === "expired") {
    return html`<p class="note">
      <${Icon} name="late" /> It expired <${Time} at=${approval.expires ?? ""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`;
  }
  if (status === "closed") {
    return html`<p class="note"><${Icon} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`;
  }
  return html`<${Panel} level=${3} title="Answer">
    <${Facts} rows=${[
      ["by", approval.decided_by && html`<${Text} text=${approval.decided_by} />`],
      ["in", approval.answered_in && html`<${Text} text=${approval.answered_in} />`],
      ["when", html`<${Time} at=${approval.decided ?? ""} form="absolute" />`],
      ["reason", approval.reason && html`<${Text} text=${approval.reason} />`],
      ["answer", approval.answer && html`<${Text} text=${approval.answer} />`],
      ["used by", approval.used_by && html`<a href=${link(`/x/${approval.execution_id}`, { action: approval.used_by })}><code>${approval.used_by}</code></a>`],
      ["used", !approval.used_by && (status === "approve" || status === "edit") ? "not yet: valid for one call" : ""],
    ]} />
    ${approval.edited !== undefined && approval.edited !== null
      ? html`<h4>Granted instead</h4>
          <${Diff} before=${approval.arguments ?? {}} after=${approval.edited} titles=${["asked", "granted"]} />`
      : null}
  <//>`;
}

/**
 * The entries of a question and its answer, with the digests that they are bound to.
 * @param {{approval: import("../types.js").ApprovalView}} props
 */
function Evidence({ approval }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [approval.id]);
  return html`<details class="evidence" open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
    <summary>Entries in the journal</summary>
    ${open && html`<${EvidenceRows} approval=${approval} />`}
  </details>`;
}

/** @param {{approval: import("../types.js").ApprovalView}} props */
function EvidenceRows({ approval }) {
  const { data } = useLive({ by: [approval.id, approval.status], kinds: ["approval_"] }, (signal) =>
    get("/v1/entries", { id: approval.id, execution_id: approval.execution_id, newest_first: true, limit: 10 }, { signal }));
  if (!data) return html`<p class="loading">Loading…</p>`;
  return html`<ul class="evidence-rows">
    ${data.entries.toReversed().map((/** @type {import("../types.js").EntryView} */ entry) => html`<li key=${entry.seq}>
      <a href=${link(`/x/${approval.execution_id}`, { tab: "journal", entry: entry.seq })}>entry ${entry.seq}</a>
      <span>${entry.kind === "approval_requested" ? "asked" : "answered"} by <${Text} text=${entry.facts?.credential || entry.actor} /></span>
      <${Time} at=${entry.at} form="absolute" />
      ${entry.facts?.effect_key && html`<span class="digest">digest <code>${entry.facts.effect_key.slice(0, 16)}…</code><${Copy} text=${entry.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`;
}
