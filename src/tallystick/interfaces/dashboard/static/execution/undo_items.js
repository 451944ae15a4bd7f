/** Actions in the order to undo them, for the undo list of the page and for the embedded element. */

import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Empty, Json, Status, Text, Time, span, useNow } from "../ui/index.js";

const WAYS = {
  known: "",
  unknown: "No undo is recorded. Check what it did, and decide.",
  erased: "The text of the undo was erased.",
  altered: "The stored text of the undo was altered and is not shown.",
  irreversible: "It is recorded as irreversible.",
};

/**
 * @param {{items: any[], lead: string, more?: boolean, rest: string, empty: string, onAction: (id: string) => void,
 *   actsOf?: (item: any) => any}} props
 *   `rest` is the command that lists the actions that do not fit, `actsOf` what a person can do about an item
 */
export function UndoItems({ items, lead, more = false, rest, empty, onAction, actsOf }) {
  return html`<div class="owed-tab">
    <p class="lead"><${Icon} name="owed" /><span><strong>${lead}</strong>${items.length > 0 && html` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${items.length
      ? html`<ol class="owed-list">${items.map((item) => html`<${Item} key=${item.action_id} item=${item} onAction=${onAction} acts=${actsOf?.(item)} />`)}</ol>
          ${more && html`<p class="soft">These are the first ${items.length}. The rest: <code>${rest}</code></p>`}`
      : html`<${Empty} icon="completed" title=${empty}>Every action is undone or kept.</${Empty}>`}
  </div>`;
}

/** @param {{item: any, onAction: (id: string) => void, acts?: any}} props */
function Item({ item, onAction, acts }) {
  const way = WAYS[/** @type {keyof typeof WAYS} */ (item.way)] ?? item.way;
  return html`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${() => onAction(item.action_id)}><${Text} text=${item.summary || item.tool || item.action_id} /></button>
        <span class="faint"> ${item.tool && html`<code><${Text} text=${item.tool} /></code> `}${item.step && html`step <code><${Text} text=${item.step} /></code>`}</span></p>
      <p class="detail-tags"><${Status} state=${item.state} word=${item.state === "failed" ? "undo failed" : ""} />${item.temporary && html`<span class="maybe"><${Icon} name="late" size=${14} />temporary</span>`}${item.certain === false && html`<span class="maybe"><${Icon} name="in_doubt" size=${14} />may have happened</span>`}<${Deadline} at=${item.deadline} /></p>
    </div>
    <div class="owed-way">
      ${item.undo
        ? html`${item.undo.words && html`<p><${Text} text=${item.undo.words} /></p>`}
            ${item.undo.tool && html`<p><code><${Text} text=${item.undo.tool} /></code></p><${Json} value=${item.undo.arguments || {}} label="arguments of the undo" />`}
            ${item.undo.missing?.length > 0 && html`<p class="warn">Not recorded: <${Text} text=${item.undo.missing.join(", ")} /></p>`}`
        : html`<p class="soft">${way}</p>`}
      ${item.error && html`<p class="warn">The undo failed: <${Text} text=${item.error} /></p>`}
      ${item.why && html`<p class="soft"><${Text} text=${item.why} /></p>`}
      ${item.undone_by && html`<p class="soft">by <button type="button" class="row-button mono" onClick=${() => onAction(item.undone_by)}>${item.undone_by}</button></p>`}
    </div>
    ${acts && html`<div class="owed-acts">${acts}</div>`}
  </li>`;
}

/** @param {{at: string}} props */
function Deadline({ at }) {
  const left = Date.parse(at) - useNow();
  if (!at) return null;
  if (left < 0) return html`<span class="warn">undo was possible until <${Time} at=${at} /></span>`;
  return html`<span class="faint" title=${at}>can be undone for ${span(left)} more</span>`;
}
