/** Ways to act in place: a button opens a form that asks once, and shows the receipt, or the refusal with its fix. */

import { newKey } from "../approvals/decision.js";
import { CredentialForm } from "../approvals/credential.js";
import { useCommands } from "../commands.js";
import { draftName, useDraft } from "../drafts.js";
import { isFocusLost } from "../focus_keeper.js";
import { html, names, useEffect, useId, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { write } from "../json/serializer.js";
import { useReconnect } from "../live.js";
import { isImport } from "../router.js";
import { refreshSession, useSession } from "../session.js";
import { Button, Choice } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { say } from "../ui/toast.js";
import { useOpenForm } from "./open_forms.js";

/**
 * A field of a form. With `choices` it is one of a few, the first unless told; `missing` is the problem if it is left empty.
 * @typedef {{name: string, label: string, hint?: string, missing?: string, choices?: [string, string][]}} Field
 *
 * One way to act. `needs` is the scope of its credential: `approve`, or `agent` for what only a recorder may decide.
 * `request` builds the body of the request, `send` sends it under an idempotency key. `command` is the same at the command line,
 * without store and journal.
 * @typedef {{id: string, label: string, icon: string, danger?: boolean, title: string, note?: any, submit: string, fields: Field[],
 *   needs: "approve" | "agent", request: (fields: Record<string, string>) => Record<string, unknown>,
 *   send: (body: Record<string, unknown>, key: string) => Promise<any>, command: string}} Act
 */

/**
 * Buttons, of which one at a time opens its form. An open form stays, closed to sending, when its act is not offered any more:
 * what a person goes on typing must not become shortcuts.
 * @param {{about: string, acts: Act[], label: string, over?: string, first?: any, more?: any, onDone?: (receipt: any) => void}} props `about` is the
 *   id of the thing that is acted on, `over` says why an act is not offered any more, `first` and `more` stand before and behind the buttons
 */
export function Acts({ about, acts, label, over = "It changed meanwhile.", first, more, onDone }) {
  const [open, setOpen] = useState("");
  const [receipt, setReceipt] = useState("");
  const shown = useRef(/** @type {Act | undefined} */ (undefined));
  useOpenForm(about, Boolean(open));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const last = useRef("");
  useEffect(() => {
    const shown = box.current;
    return () => keepFocus(shown, Boolean(last.current));
  }, []);
  useEffect(() => {
    if (open || !last.current) return;
    const back = /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector(receipt ? ".act-receipt" : `[data-act="${last.current}"]`));
    back?.focus();
  }, [open]);
  const offered = acts.find((act) => act.id === open);
  const chosen = (shown.current = open ? offered ?? shown.current : undefined);
  if (isImport() || (!acts.length && !first && !more && !chosen && !receipt)) return null;
  const choose = (/** @type {string} */ id) => ((last.current = id || open), setReceipt(""), setOpen(id));
  const done = (/** @type {any} */ found) => {
    const text = receiptText(found, about.startsWith("ex_"));
    say(text, "ok");
    setReceipt(text);
    last.current = open;
    setOpen("");
    onDone?.(found);
  };
  return html`<div class="acts" ref=${box}>
    ${!chosen && html`<div class="acts-row" role="group" aria-label=${label}>
      ${first}
      ${acts.map((act) => html`<${Button} key=${act.id} icon=${act.icon} kind=${act.danger ? "danger" : "plain"} data-act=${act.id} onClick=${() => choose(act.id)}>${act.label}<//>`)}
      ${more}
    </div>`}
    ${chosen && html`<${ActForm} key=${chosen.id} act=${chosen} about=${about} over=${offered ? "" : over} onDone=${done} onCancel=${() => choose("")} />`}
    ${receipt && !chosen && html`<p class="act-receipt" tabindex="-1" role="status"><${Icon} name="check" size=${14} /> ${receipt}</p>`}
  </div>`;
}

/** When a row goes away with the focus in it, the page keeps the focus. @param {HTMLElement | null} box @param {boolean} acted */
function keepFocus(box, acted) {
  if (!acted && !box?.contains(document.activeElement)) return;
  setTimeout(() => document.activeElement === document.body && document.getElementById("main")?.focus({ preventScroll: true }));
}

/** @param {{seq: number, repeated?: boolean, status?: string, state?: string, notes?: string[]}} receipt @param {boolean} moves whether the act was about the execution */
function receiptText({ seq, repeated, status, state, notes = [] }, moves) {
  const now = state ? ` The action is ${state === "in_doubt" ? "still in doubt" : state}.` : status && moves ? ` The execution is ${status}.` : "";
  return `${repeated ? "Was recorded before" : "Recorded"} as entry ${seq}.${now}${notes.length ? ` ${notes.join(" ")}` : ""}`;
}

/** @param {{act: Act, about: string, over: string, onDone: (receipt: any) => void, onCancel: () => void}} props with `over`, nothing can be sent any more */
function ActForm({ act, about, over, onDone, onCancel }) {
  const session = useSession();
  const initial = Object.fromEntries([...act.fields.map(({ name, choices }) => [name, choices?.[0][0] || ""]), ["key", ""], ["sent", ""]]);
  const [fields, setFields, forget] = useDraft(draftName("act", about, act.id), initial);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(/** @type {any} */ (null));
  useReconnect(() => setRefusal((/** @type {any} */ before) => (before?.status ? before : null)));
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const id = useId();
  const missing = act.fields.find(({ name, missing }) => missing && !fields[name]?.trim());
  const may = act.needs === "approve" ? session.may_decide : session.scopes.some((scope) => scope === "agent" || scope === "run");

  // Also when the credential was accepted: its form had the focus, and is gone. A person who went on meanwhile keeps it.
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current && !isFocusLost()) return;
    opened.current = true;
    /** @type {HTMLElement | null | undefined} */ (form.current?.querySelector("textarea, .choice button, [type=submit]"))?.focus();
    form.current?.scrollIntoView({ block: "nearest" });
  }, [may]);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setTried(true);
    if (missing || busy || !may || over) return;
    setBusy(true);
    const body = act.request(fields);
    const sent = write(body);
    const key = fields.sent === sent && fields.key ? fields.key : newKey();
    setFields({ sent, key });
    try {
      const receipt = await act.send(body, key);
      forget();
      onDone(receipt);
    } catch (problem) {
      const { status } = /** @type {any} */ (problem);
      if (status === 401 || status === 403) void refreshSession();
      setRefusal(problem);
      setBusy(false);
    }
  };
  const cancel = () => {
    if (over) forget();
    onCancel();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") (event.stopPropagation(), cancel());
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send(event);
  };
  return html`<div class="act" ref=${form} onKeyDown=${keys}>
    <form onSubmit=${send} aria-labelledby=${`${id}-title`}>
      <p class="act-title" id=${`${id}-title`}>${act.title}</p>
      ${act.note && html`<p class="soft">${act.note}</p>`}
      ${act.fields.map((field) => html`<${FormField} key=${field.name} field=${field} value=${fields[field.name]} onInput=${(/** @type {string} */ text) => setFields({ [field.name]: text })} />`)}
      <p class="field-problem" role="alert">${tried && missing ? missing.missing : ""}</p>
      ${refusal && html`<div class="act-refusal" role="alert"><${Icon} name="warning" size=${14} /><span>${refusal.message}${refusal.hint && html` <strong>${refusal.hint}</strong>`}</span></div>`}
      ${over && !busy && html`<div class="act-refusal" role="alert"><${Icon} name="warning" size=${14} /><span>${over} <strong>Nothing can be sent any more.</strong></span></div>`}
      <div class="act-send">
        ${may && html`<${Button} kind=${act.danger ? "danger" : "primary"} type="submit" icon=${act.icon} disabled=${busy || Boolean(over)}>${act.submit}<//>`}
        <${Button} kind="ghost" onClick=${cancel}>${over ? "Close" : "Not yet"}<//>
      </div>
    </form>
    ${!may && !over && session.version && html`<${NotPermitted} act=${act} />`}
    ${!over && html`<${CommandLine} act=${act} open=${!may} />`}
  </div>`;
}

/** @param {{field: Field, value: string, onInput: (text: string) => void}} props */
function FormField({ field, value, onInput }) {
  const { label, hint, choices } = field;
  if (choices) return html`<div class="field"><span>${label}</span><${Choice} label=${label} value=${value} choices=${choices} onChange=${onInput} /></div>`;
  return html`<label class="field"><span>${label} ${hint && html`<span class="faint">${hint}</span>`}</span>
    <textarea rows="2" value=${value} maxlength="2000" onInput=${(/** @type {any} */ event) => onInput(event.target.value)}></textarea></label>`;
}

/** @param {{act: Act}} props */
function NotPermitted({ act }) {
  if (act.needs === "approve") return html`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${CredentialForm} />`;
  return html`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, log out (on this machine the page may then), or use the command where the journal is.</p>`;
}

/** @param {{act: Act, open: boolean}} props */
function CommandLine({ act, open }) {
  const text = useCommands().commandLine(act.command);
  return html`<details class=${names("act-command", open && "is-needed")} open=${open}>
    <summary>At the command line</summary>
    <span class="command"><code>${text}</code><${Copy} text=${text} what="the command" /></span>
  </details>`;
}
