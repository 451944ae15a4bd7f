/** The steps of one revision: tool, dependencies, and whether and how each can be undone. */

import { html } from "../html.js";
import { Icon } from "../icons.js";
import { write } from "../json/serializer.js";
import { Badge, Json, Text, span } from "../ui/index.js";
import { CANCELLABLE, POLICY, policyOf, undoOf } from "./words.js";

/** @typedef {import("../types.js").StepText} Step */

/** @param {{steps: Step[], chosen?: string}} props */
export function Steps({ steps, chosen = "" }) {
  return html`<ol class="steps">
    ${steps.map((step, at) => html`<li key=${step.id} id=${`step-${step.id}`} class=${step.id === chosen ? "is-chosen" : null}>
      <span class="step-number num" aria-hidden="true">${at + 1}</span>
      <div class="step-body"><${StepText} step=${step} /></div>
    </li>`)}
  </ol>`;
}

/** @param {{step: Step}} props */
export function StepText({ step }) {
  return html`
    <div class="step-head">
      <h3><${Text} text=${step.title || step.id} /></h3>
      <code class="soft"><${Text} text=${step.id} /></code>
      <span class="step-end">
        ${step.needs_approval && html`<${Badge} tone="waiting" icon="person">needs approval<//>`}
        <${Cancellable} step=${step} />
      </span>
    </div>
    <dl class="step-facts">
      ${step.tool && html`<div><dt>tool</dt><dd><code><${Text} text=${step.tool} /></code> <span class="soft">${step.effect ?? "unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${step.after?.length ? step.after.map((id, at) => html`${at ? ", " : ""}<a href=${`#step-${id}`} data-native><${Text} text=${id} /></a>`) : html`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${Undo} step=${step} /></dd></div>
      <div><dt>if it fails</dt><dd><${Policy} step=${step} /></dd></div>
      <div><dt>estimate</dt><dd>${step.estimate === undefined || step.estimate === null ? html`<span class="faint">none</span>` : span(step.estimate * 1000)}</dd></div>
      ${step.probe ? html`<div><dt>probe</dt><dd><${Text} text=${typeof step.probe === "string" ? step.probe : step.probe.words || step.probe.tool} /></dd></div>` : null}
    </dl>
    ${step.arguments && Object.keys(step.arguments).length
      ? html`<details class="step-arguments"><summary>Arguments</summary><${Json} value=${step.arguments} label=${`arguments of ${step.id}`} whole /></details>`
      : null}`;
}

/** @param {{step: {cancellable: string}}} props */
export function Cancellable({ step }) {
  const { word, icon, tone } = CANCELLABLE[step.cancellable] ?? { word: step.cancellable, icon: "planned", tone: "idle" };
  return html`<${Badge} tone=${tone} icon=${icon}>${word}<//>`;
}

/** @param {{step: {cancellable: string, undo?: any, undo_until?: string, effect?: string}}} props */
export function Undo({ step }) {
  const undo = undoOf(step.undo);
  const until = step.undo_until ? html` <span class="soft">until ${step.undo_until} after its end</span>` : null;
  if (!undo) {
    if (step.effect === "read") return html`<span class="faint">it only reads</span>`;
    if (step.cancellable === "irreversible") return html`<span class="faint">cannot be undone</span>`;
    return html`<span class="step-warning"><${Icon} name="warning" size=${14} /> no undo recorded</span>`;
  }
  return html`<${Text} text=${undo.words} />${undo.tool && html` <code><${Text} text=${undo.tool} /> ${undo.arguments && html`<${Text} text=${write(undo.arguments)} />`}</code>`}${until}`;
}

/** @param {{step: Step}} props */
function Policy({ step }) {
  const { action, reason, to } = policyOf(step);
  return html`${POLICY[action] ?? action}${to.length ? html` (<${Text} text=${to.join(", ")} />)` : null}${reason && html` <span class="soft">because <${Text} text=${reason} /></span>`}`;
}
