/** The list of what waits for a person: what, of which work, who, since when, and the button that leads to it. */

import { get } from "../api.js";
import { callText } from "../approvals/call_fields.js";
import { isCall } from "../approvals/verdict.js";
import { html, useEffect, useState } from "../html.js";
import { Icon } from "../icons.js";
import { remaining } from "../approvals/time_left.js";
import { useKeys } from "../keys.js";
import { useLive } from "../live.js";
import { link, navigate } from "../router.js";
import { Badge, ButtonLink, Text, Time, useNow, visibleText } from "../ui/index.js";

/** @typedef {import("../types.js").InboxItem} InboxItem */

/** Word, tone, icon and button of each kind. */
const KINDS = /** @type {Record<string, {word: string, many?: string, tone: string, icon: string, button: string}>} */ ({
  question_waits: { word: "Question", many: "questions", tone: "waiting", icon: "blocked", button: "Answer" },
  undo_expires: { word: "Undo expires", many: "undos expire", tone: "undo", icon: "late", button: "Undo or keep" },
  in_doubt: { word: "In doubt", tone: "doubt", icon: "in_doubt", button: "Settle" },
  run_held: { word: "Step held", many: "steps held", tone: "doubt", icon: "paused", button: "Settle" },
  interrupted: { word: "Interrupted", tone: "doubt", icon: "warning", button: "Take up or end" },
  undo_left: { word: "Not undone", tone: "undo", icon: "owed", button: "Undo or keep" },
});
const QUESTIONS = 100;
/** Questions that are read at most, to show their calls in short. */
const TABS = /** @type {Record<string, string>} */ ({ in_doubt: "doubt", run_held: "doubt", undo_expires: "undo", undo_left: "undo" });

/**
 * @param {string} need
 * @param {number} count
 */
export const counted = (need, count) => `${count} ${(count > 1 && KINDS[need]?.many) || (KINDS[need]?.word ?? need).toLowerCase()}`;

/** The page where it is dealt with. @param {InboxItem} item */
export function placeOf(item) {
  if (item.need === "question_waits") return link(`/approvals/${item.about}`);
  return link(`/x/${item.execution_id}`, { tab: TABS[item.need] ?? "" });
}

/** @param {{items: InboxItem[]}} props */
export function Needs({ items }) {
  const [chosen, choose] = useState(-1);
  const questions = useQuestions(items);
  const move = (/** @type {number} */ by) => choose(Math.max(0, Math.min(items.length - 1, chosen + by)));
  useKeys("Needs you", {
    j: { label: "next", run: () => move(1) },
    k: { label: "previous", run: () => move(-1) },
    Enter: { label: "open it", run: () => items[chosen] && navigate(placeOf(items[chosen])) },
  });
  useEffect(() => {
    if (chosen < 0) return;
    /** @type {HTMLElement | null} */
    const row = document.querySelector(`[data-need="${chosen}"] .need-link`);
    row?.focus();
  }, [chosen]);
  return html`<ul class="needs panel" aria-label="What needs you">
    ${items.map((item, index) => html`<${Need} key=${`${item.need}/${item.about}`} item=${item} question=${questions.get(item.about)} index=${index} onFocus=${() => choose(index)} />`)}
  </ul>`;
}

/**
 * The questions among the items by id: the text of an item cuts its call.
 * @param {InboxItem[]} items
 * @returns {Map<string, import("../types.js").ApprovalView>}
 */
function useQuestions(items) {
  const asked = items.filter((item) => item.need === "question_waits").map((item) => item.about);
  const { data } = useLive({ by: [asked.length > 0], kinds: ["approval_"] }, (signal) =>
    asked.length ? get("/v1/approvals", { status: "pending", limit: QUESTIONS }, { signal }) : Promise.resolve({ approvals: [] }));
  return new Map((data?.approvals ?? []).map((/** @type {any} */ each) => [each.id, each]));
}

/** @param {{item: InboxItem, question?: import("../types.js").ApprovalView, index: number, onFocus: () => void}} props */
function Need({ item, question, index, onFocus }) {
  const { word, tone, icon, button } = KINDS[item.need] ?? { word: item.need, tone: "plain", icon: "warning", button: "Open" };
  const place = placeOf(item);
  return html`<li class=${`need tone-${tone}`} data-need=${index}>
    <span class="need-kind"><${Badge} tone=${tone} icon=${icon}>${word}</${Badge}></span>
    <div class="need-what">
      <a class="need-link" href=${place} onFocus=${onFocus}><${Text} text=${item.need === "question_waits" ? question?.question || item.text : item.title || item.text} /></a>
      ${question && isCall(question) && html`<p class="need-call"><${Text} text=${callText(question.tool || "", question.arguments)} /></p>`}
      <p class="need-text soft">
        ${item.need === "question_waits"
          ? item.title && html`<${Text} text=${item.title} />`
          : item.title && html`<${Text} text=${item.text} />`}
        ${item.count > 1 && html`<strong>, and ${item.count - 1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${item.until ? html`<${Deadline} until=${item.until} />` : html`<span><${Time} at=${item.since} /></span>`}
      ${item.who && html`<span class="need-who cut"><${Text} text=${item.who} /></span>`}
    </div>
    <${ButtonLink} class="need-button" href=${place} kind=${item.need === "question_waits" ? "primary" : "plain"} tabindex="-1" aria-label=${`${button}: ${visibleText(item.title || item.text)}`}>${button}</${ButtonLink}>
  </li>`;
}

/** @param {{until: string}} props */
function Deadline({ until }) {
  const { text, urgency } = remaining(until, useNow());
  return html`<span class="need-until" title=${until}><${Icon} name="late" size=${14} /> ${urgency === "over" ? "too late" : text}</span>`;
}
