/** The form to answer a question: verdict, arguments, answer and reason. */

import { draftName, readDraft, useDraft, writeDraft } from "../drafts.js";
import { isFocusLost } from "../focus_keeper.js";
import { html, useEffect, useId, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { write } from "../json/serializer.js";
import { Button, Choice } from "../ui/button.js";
import { Diff } from "../ui/diff.js";
import { pretty } from "../ui/json.js";
import { Text } from "../ui/text.js";
import { visibleJson } from "../ui/visible.js";
import { VERDICTS, answerOf, readArguments } from "./answer.js";
import { newKey } from "./decision.js";

const ICONS = { approve: "check", edit: "edit", reject: "close", respond: "reply" };

/**
 * The buttons of the verdicts, and of the answers that the agent offers.
 * @param {{approval: import("../types.js").ApprovalView, onChoose: (verdict: any) => void, last?: string}} props `last` gets the focus
 */
export function Verdicts({ approval, onChoose, last = "" }) {
  const { options = [] } = approval;
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (last) /** @type {HTMLElement | null | undefined} */ (bar.current?.querySelector(`.verdict-${last}`))?.focus();
  }, []);
  const offer = (/** @type {string} */ answer) => {
    writeDraft(draftOf(approval), { ...readDraft(draftOf(approval)), verdict: "respond", answer });
    onChoose("respond");
  };
  return html`<div class="verdict-bar" ref=${bar}>
    ${options.length
      ? html`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${isCall(approval) ? "Answer without granting the call:" : "Answer:"}</span>
          ${options.map((option) => html`<${Button} key=${option} kind=${isCall(approval) ? "plain" : "primary"} class="verdict-option" onClick=${() => offer(option)}><${Text} text=${option} /><//>`)}
        </div>`
      : null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(VERDICTS).filter(([name]) => mayChoose(approval, /** @type {any} */ (name))).map(
        ([name, { verb, key }]) => html`<${Button}
          key=${name} kind=${name === "approve" ? "primary" : "plain"} icon=${ICONS[/** @type {keyof typeof ICONS} */ (name)]}
          class=${`verdict verdict-${name}`} aria-keyshortcuts=${key} onClick=${() => onChoose(name)}
        >${verb}<//>`,
      )}
    </div>
  </div>`;
}

/** @param {import("../types.js").ApprovalView} approval */
export const isCall = (approval) => Boolean(approval.tool || approval.arguments);

/** Whether the server takes this verdict on this question. @param {import("../types.js").ApprovalView} approval @param {import("./answer.js").Verdict} verdict */
export function mayChoose(approval, verdict) {
  if (verdict === "edit") return isCall(approval);
  return verdict !== "approve" || isCall(approval) || Boolean(approval.step) || !approval.options?.length;
}

/** The name of what was typed for a question. @param {import("../types.js").ApprovalView} approval */
export const draftOf = (approval) => draftName("approval", approval.id, approval.asked);

/** The verdict for which something was typed and not sent; empty if nothing was. @param {import("../types.js").ApprovalView} approval */
export function draftVerdict(approval) {
  const { verdict = "" } = readDraft(draftOf(approval));
  return verdict in VERDICTS ? verdict : "";
}

/**
 * The fields of a verdict. What is typed is kept in this browser until it was accepted.
 * With `over` nothing can be sent any more, and without `may` not by this login, but the form stays while somebody types in it.
 * @param {{approval: import("../types.js").ApprovalView, verdict: import("./answer.js").Verdict, decide: import("./decision.js").Decide, over?: boolean, may?: boolean, onSend?: () => void,
 *   onDone: (outcome: import("./decision.js").Outcome) => void, onCancel: () => void}} props
 */
export function VerdictForm({ approval, verdict, decide, over = false, may = true, onSend, onDone, onCancel }) {
  const asked = visibleJson(pretty(approval.arguments ?? {}));
  const [fields, setFields, forget] = useDraft(draftOf(approval), { reason: "", answer: "", text: asked, key: "", sent: "" });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const id = useId();
  const answer = answerOf(approval, verdict, fields);
  const wrong = "problem" in answer ? answer : null;
  const put = (/** @type {string} */ name) => (/** @type {any} */ event) => setFields({ verdict, [name]: event.target.value });

  const opened = useRef(false);
  useEffect(() => {
    if (opened.current && !isFocusLost()) return; // a person who went on while the credential was checked keeps the focus
    opened.current = true;
    // On a touch screen a focused field opens a keyboard that hides the call, so the button gets the focus.
    const plain = matchMedia("(pointer: coarse)").matches && verdict !== "edit";
    const field = /** @type {HTMLElement | null | undefined} */ (form.current?.querySelector(plain ? "[type=submit]" : "textarea, input"));
    field?.focus({ preventScroll: true });
  }, [may]);

  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setTried(true);
    if (wrong || busy || over || !may) return;
    setBusy(true);
    onSend?.();
    const { body } = /** @type {{body: Record<string, unknown>}} */ (answer);
    const sent = write(body);
    // The same answer sent again is the same record, also after the page was closed in between.
    const key = fields.sent === sent && fields.key ? fields.key : newKey();
    setFields({ verdict, sent, key });
    const outcome = await decide(approval.id, body, key);
    if (outcome.ok) forget();
    setBusy(false);
    onDone(outcome);
  };
  const cancel = () => {
    if (over) forget();
    else setFields({ verdict: "" });
    onCancel();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") (event.stopPropagation(), cancel());
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send(event);
  };

  return html`<form class="verdict-form" ref=${form} onSubmit=${send} onKeyDown=${keys} aria-labelledby=${`${id}-title`}>
    <h3 id=${`${id}-title`}>${TITLES[verdict]}</h3>
    ${verdict === "edit" && html`<${ArgumentsEditor} approval=${approval} text=${fields.text} onInput=${put("text")} />`}
    ${verdict === "respond" && html`<${AnswerField} approval=${approval} value=${fields.answer} onInput=${put("answer")} onPick=${(/** @type {string} */ answer) => setFields({ verdict, answer })} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${fields.reason} onInput=${put("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${tried && wrong ? wrong.problem : ""}</p>
    <div class="verdict-send">
      ${may && html`<${Button} kind=${verdict === "reject" ? "danger" : "primary"} type="submit" disabled=${busy || over} icon=${ICONS[verdict]}>${SENDS[verdict]}<//>`}
      <${Button} kind="ghost" onClick=${cancel}>${over ? "Close" : "Not yet"}<//>
    </div>
  </form>`;
}

const TITLES = {
  approve: "Grant exactly what is shown above",
  edit: "Grant other arguments instead",
  reject: "Reject the call",
  respond: "Answer the agent without granting a call",
};
const SENDS = { approve: "Accept exactly this", edit: "Grant the edited call", reject: "Reject it", respond: "Send the answer" };

/**
 * @param {{approval: import("../types.js").ApprovalView, text: string, onInput: (event: any) => void}} props
 */
function ArgumentsEditor({ approval, text, onInput }) {
  const id = useId();
  const read = readArguments(text);
  const masked = write(approval.arguments ?? {}).includes("[masked:");
  return html`<div class="editor">
    <label class="field" for=${id}><span>Arguments of <code><${Text} text=${approval.tool || "the call"} /></code>, as JSON</span></label>
    <textarea
      id=${id} class="editor-text" spellcheck="false" autocapitalize="off" autocomplete="off"
      rows=${Math.min(18, Math.max(5, text.split("\n").length + 1))} value=${text}
      aria-invalid=${"problem" in read ? "true" : null} aria-describedby=${`${id}-status`} onInput=${onInput}
    ></textarea>
    <p id=${`${id}-status`} class="editor-status" role="status">
      ${"problem" in read ? html`<${Icon} name="warning" size=${14} /> ${read.problem}` : html`<${Icon} name="check" size=${14} /> Valid JSON`}
    </p>
    ${masked && html`<p class="note"><${Icon} name="warning" size=${14} /> A secret is masked here. If you send it, the mask is granted as text.</p>`}
    ${"value" in read && html`<${Diff} before=${approval.arguments ?? {}} after=${read.value} titles=${["asked", "granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${Text} text=${approval.tool || "the tool"} /></code> once, with exactly these
      arguments. The original call is not granted.
    </p>
  </div>`;
}

/**
 * @param {{approval: import("../types.js").ApprovalView, value: string, onInput: (event: any) => void,
 *   onPick: (answer: string) => void}} props
 */
function AnswerField({ approval, value, onInput, onPick }) {
  return html`
    ${approval.options?.length
      ? html`<${Choice} label="Suggested answers" value=${value} choices=${approval.options.map((option) => [option, html`<${Text} text=${option} />`])} onChange=${onPick} />`
      : null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${value} onInput=${onInput} required></textarea>
    </label>`;
}
