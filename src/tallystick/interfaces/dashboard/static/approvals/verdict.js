/** Answering one question: choose what, see exactly what it grants, give a reason, send. */

import { html, useEffect, useId, useMemo, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { write } from "../json/serializer.js";
import { Button, Choice } from "../ui/button.js";
import { Diff } from "../ui/diff.js";
import { pretty } from "../ui/json.js";
import { Text } from "../ui/text.js";
import { spelledJson } from "../ui/visible.js";
import { VERDICTS, answerOf, readArguments } from "./answer.js";
import { newKey } from "./decision.js";

const ICONS = { approve: "check", edit: "edit", reject: "close", respond: "reply" };

/**
 * The row of verdicts, kept in reach. A question without a call has nothing to edit.
 * @param {{approval: import("../types.js").ApprovalView, chosen: string, onChoose: (verdict: any) => void}} props
 */
export function Verdicts({ approval, chosen, onChoose }) {
  return html`<div class="verdicts" role="group" aria-label="Answer">
    ${Object.entries(VERDICTS).filter(([name]) => name !== "edit" || isCall(approval)).map(
      ([name, { verb, key }]) => html`<${Button}
        key=${name} kind=${name === "approve" ? "primary" : "plain"} icon=${ICONS[/** @type {keyof typeof ICONS} */ (name)]}
        class=${`verdict verdict-${name}`} aria-expanded=${String(chosen === name)} aria-keyshortcuts=${key}
        onClick=${() => onChoose(chosen === name ? "" : name)}
      >${verb}<//>`,
    )}
  </div>`;
}

/** @param {import("../types.js").ApprovalView} approval */
export const isCall = (approval) => Boolean(approval.tool || approval.arguments);

/**
 * What belongs to a verdict before it is sent.
 * @param {{approval: import("../types.js").ApprovalView, verdict: import("./answer.js").Verdict, decide: import("./decision.js").Decide, onSend?: () => void,
 *   onDone: (outcome: import("./decision.js").Outcome) => void, onCancel: () => void}} props
 */
export function VerdictForm({ approval, verdict, decide, onSend, onDone, onCancel }) {
  const [said, setSaid] = useState({ reason: "", answer: "", text: spelledJson(pretty(approval.arguments ?? {})) });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const key = useMemo(newKey, [approval.id, verdict]);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const id = useId();
  const answer = answerOf(approval, verdict, said);
  const wrong = "problem" in answer ? answer : null;
  const put = (/** @type {string} */ name) => (/** @type {any} */ event) => setSaid((before) => ({ ...before, [name]: event.target.value }));

  useEffect(() => {
    // Under a thumb a field would bring up the keyboard over what is being granted: there the button is first.
    const plain = matchMedia("(pointer: coarse)").matches && (verdict === "approve" || verdict === "reject");
    /** @type {HTMLElement | null | undefined} */ (form.current?.querySelector(plain ? "[type=submit]" : "textarea, input"))?.focus();
    form.current?.scrollIntoView({ block: "nearest" });
  }, [verdict]);

  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setTried(true);
    if (wrong || busy) return;
    setBusy(true);
    onSend?.();
    onDone(await decide(approval.id, /** @type {any} */ (answer).body, key));
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") (event.stopPropagation(), onCancel());
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send(event);
  };

  return html`<form class="verdict-form" ref=${form} onSubmit=${send} onKeyDown=${keys} aria-labelledby=${`${id}-title`}>
    <h3 id=${`${id}-title`}>${TITLES[verdict]}</h3>
    ${verdict === "edit" && html`<${ArgumentsEditor} approval=${approval} text=${said.text} onInput=${put("text")} />`}
    ${verdict === "respond" && html`<${AnswerField} approval=${approval} value=${said.answer} onInput=${put("answer")} onPick=${(/** @type {string} */ answer) => setSaid({ ...said, answer })} />`}
    <label class="field">
      <span>Reason <span class="faint">kept in the journal, and told to the agent</span></span>
      <input type="text" value=${said.reason} onInput=${put("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${tried && wrong ? wrong.problem : ""}</p>
    <div class="verdict-send">
      <${Button} kind=${verdict === "reject" ? "danger" : "primary"} type="submit" disabled=${busy} icon=${ICONS[verdict]}>${SENDS[verdict]}<//>
      <${Button} kind="ghost" onClick=${onCancel}>Not yet<//>
    </div>
  </form>`;
}

const TITLES = {
  approve: "Grant exactly what is shown above",
  edit: "Grant other arguments instead",
  reject: "Say no",
  respond: "Tell the agent something, and grant nothing",
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
      aria-invalid=${"problem" in read ? "true" : null} aria-describedby=${`${id}-told`} onInput=${onInput}
    ></textarea>
    <p id=${`${id}-told`} class="editor-told" role="status">
      ${"problem" in read ? html`<${Icon} name="warning" size=${14} /> ${read.problem}` : html`<${Icon} name="check" size=${14} /> Valid JSON`}
    </p>
    ${masked && html`<p class="note"><${Icon} name="warning" size=${14} /> A secret is masked here. What you send is what you see: the mask would be granted as text.</p>`}
    ${"value" in read && html`<${Diff} before=${approval.arguments ?? {}} after=${read.value} titles=${["asked", "granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${Text} text=${approval.tool || "the tool"} /></code> once, with exactly these
      arguments. What was asked for is not granted.
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
      <span>Answer <span class="faint">what the agent is told; it grants no call</span></span>
      <textarea rows="3" value=${value} onInput=${onInput} required></textarea>
    </label>`;
}
