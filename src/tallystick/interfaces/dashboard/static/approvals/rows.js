/** The list of questions: agent, tool and time left. */

import { html, names, useEffect, useRef } from "../html.js";
import { link } from "../router.js";
import { Status } from "../ui/badge.js";
import { Text } from "../ui/text.js";
import { Time } from "../ui/time.js";
import { visibleText } from "../ui/visible.js";
import { pastOf } from "./answer.js";
import { Expiry, statusAt } from "./expiry.js";

/**
 * @param {object} props
 * @param {string} props.label
 * @param {import("../types.js").ApprovalView[]} props.approvals
 * @param {string} props.chosen the shown question
 * @param {number} props.now
 * @param {Set<string>} [props.marked] ids selected for one answer to several; without it nothing can be selected
 * @param {(id: string) => void} [props.onMark]
 */
export function ApprovalRows({ label, approvals, chosen, now, marked, onMark }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.querySelector(".is-chosen")?.scrollIntoView({ block: "nearest" }), [chosen]);
  return html`<ul class="questions" ref=${list} aria-label=${label}>
    ${approvals.map((approval) => {
      const status = statusAt(approval, now);
      const shown = approval.id === chosen;
      return html`<li key=${approval.id} class=${names("question-row", shown && "is-chosen")}>
        ${marked &&
        html`<label class="question-mark">
          <input type="checkbox" checked=${marked.has(approval.id)} disabled=${status !== "pending"} onChange=${() => onMark?.(approval.id)} />
          <span class="visually-hidden">Select “${visibleText(approval.question || approval.id)}”</span>
        </label>`}
        <a href=${link(`/approvals/${approval.id}`, keptQuery())} aria-current=${shown ? "true" : null}>
          <span class="question-text"><${Text} text=${approval.question || approval.id} /></span>
          <span class="question-about">
            ${approval.tool ? html`<code><${Text} text=${approval.tool} /></code>` : html`<span class="faint">a question</span>`}
            <span class="soft cut">${approval.actor ? html`<${Text} text=${approval.actor} />, ` : null}<${Time} at=${approval.asked} /></span>
            <span class="question-state">
              ${status === "pending" ? html`<${Expiry} expires=${approval.expires} />` : html`<${Status} state=${status} quiet />`}
            </span>
          </span>
          ${approval.decided && html`<${Answered} approval=${approval} />`}
        </a>
      </li>`;
    })}
  </ul>`;
}

/** Who answered what, and when. @param {{approval: import("../types.js").ApprovalView}} props */
function Answered({ approval }) {
  const said = approval.answer || approval.reason;
  return html`<span class="question-answered soft">
    <span class="question-verdict">${pastOf(approval.status)}</span> by <strong><${Text} text=${approval.decided_by || approval.answered_in || "nobody known"} /></strong>, <${Time} at=${approval.decided} />${said && html`: “<${Text} text=${said} />”`}
  </span>`;
}

/** Links between questions keep the tab and the filter. */
function keptQuery() {
  const query = new URLSearchParams(location.search);
  return { tab: query.get("tab"), status: query.get("status"), execution: query.get("execution") };
}
