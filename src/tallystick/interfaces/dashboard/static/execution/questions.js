/** The pending questions of an execution: in its header, its rows and the detail of a step, each with the way to the answer. */

import { get } from "../api.js";
import { createContext, html, useContext } from "../html.js";
import { Icon } from "../icons.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { ButtonLink, Text, visibleText } from "../ui/index.js";

const SHOWN = 3;
const MAX_READ = 100;

/** @typedef {import("../types.js").ApprovalView} ApprovalView */

const Shown = createContext(/** @type {{execution: string, approvals: ApprovalView[]}} */ ({ execution: "", approvals: [] }));
export const QuestionsProvider = Shown.Provider;

/** @param {{id: string, waiting?: number}} execution the one of `get_status` */
export function useLoadedQuestions({ id, waiting = 0 }) {
  const { data } = useLive({ by: [id, waiting], kinds: ["approval_"], execution: id }, (signal) =>
    waiting ? get("/v1/approvals", { execution_id: id, status: "pending", limit: MAX_READ }, { signal }) : Promise.resolve({ approvals: [] }));
  return { execution: id, approvals: /** @type {ApprovalView[]} */ (data?.approvals ?? []) };
}

/** The question about a step. @param {ApprovalView[]} approvals @param {string} step */
const questionOf = (approvals, step) => approvals.find((each) => each.step === step);

/** What an execution waits for. */
export function Questions() {
  const { execution, approvals } = useContext(Shown);
  if (!approvals.length) return null;
  const more = approvals.length - SHOWN;
  return html`<ul class="x-questions" aria-label="Waits for an answer">
    ${approvals.slice(0, SHOWN).map((each) => html`<li key=${each.id}><${Icon} name="blocked" /><p>Waits for an answer: <strong><${Text} text=${each.question || each.id} /></strong></p>
      <${AnswerLink} about=${each.question || each.id} href=${link(`/approvals/${each.id}`)} /></li>`)}
    ${more > 0 && html`<li><a href=${link("/approvals", { execution })}>${more} more</a></li>`}
  </ul>`;
}

/** The question about a step, in its detail. @param {{step: string}} props */
export function StepQuestion({ step }) {
  const asked = questionOf(useContext(Shown).approvals, step);
  if (!asked) return null;
  return html`<section class="part"><h3>Waits for an answer</h3><p><${Text} text=${asked.question || asked.id} /></p>
    <${AnswerLink} about=${asked.question || asked.id} href=${link(`/approvals/${asked.id}`)} /></section>`;
}

/** Leads from a row to the question about its step. @param {{step: string, title: string}} props */
export function RowQuestion({ step, title }) {
  const { execution, approvals } = useContext(Shown);
  const asked = questionOf(approvals, step);
  return html`<${AnswerLink} plain about=${title} href=${asked ? link(`/approvals/${asked.id}`) : link("/approvals", { execution })} />`;
}

/** @param {{about: string, href: string, plain?: boolean}} props */
function AnswerLink({ about, href, plain = false }) {
  return html`<${ButtonLink} kind=${plain ? "plain" : "primary"} href=${href} aria-label=${`Answer: ${visibleText(about)}`}>Answer</${ButtonLink}>`;
}
