/** The plan compared with the actions: the state of each step, and unplanned actions. */

import { html, names } from "../html.js";
import { Icon } from "../icons.js";
import { Empty, Panel, Status, Text, span, state } from "../ui/index.js";
import { nameOf } from "./actions.js";

/** @typedef {import("./actions.js").Line} Line */

const SHOWN = 200;

/**
 * The plan as a narrow column beside the timeline.
 * @param {{steps: any[], lines: Line[], selected: string, onStep: (id: string) => void, onUnplanned: () => void}} props
 */
export function PlanRail({ steps, lines, selected, onStep, onUnplanned }) {
  const unplanned = lines.filter((line) => line.unplanned).length;
  return html`<${Panel} class="rail" title="Plan and actual" flush>
    <ol class="rail-steps">
      ${steps.map(
        (step) => html`<li key=${step.id}>
          <button type="button" class=${names("rail-step", `tone-${state(step.actual).tone}`, selected === step.id && "rail-on")} aria-pressed=${String(selected === step.id)} onClick=${() => onStep(step.id)}>
            <${Icon} name=${state(step.actual).icon} />
            <span class="rail-what"><span class="rail-title"><${Text} text=${step.title || step.id} /></span>
              <span class="rail-meta">${state(step.actual).word}${step.attempts > 1 ? `, ${step.attempts} attempts` : ""}${step.dropped ? ", dropped from the plan" : step.cancellable === "irreversible" ? ", irreversible" : ""}${step.permission ? `, ${step.permission}` : ""}</span></span>
          </button>
        </li>`,
      )}
      ${unplanned > 0 &&
      html`<li><button type="button" class="rail-step tone-plain" onClick=${onUnplanned}><${Icon} name="unplanned" /><span class="rail-what"><span class="rail-title">${unplanned} unplanned</span><span class="rail-meta">not in the plan</span></span></button></li>`}
    </ol>
  </${Panel}>`;
}

/**
 * The plan as a table.
 * @param {{steps: any[], lines: Line[], onStep: (id: string) => void, onAction: (id: string) => void}} props
 */
export function PlanTable({ steps, lines, onStep, onAction }) {
  const unplanned = lines.filter((line) => line.unplanned || (!steps.length && line.kind !== "undo"));
  const took = durations(lines);
  return html`<div class="plan-tab">
    ${steps.length
      ? html`<${Panel} title=${`Planned (${steps.length})`} flush>
          <div class="table-scroll" tabindex="0" role="region" aria-label="Steps">
            <table class="table">
              <thead><tr><th scope="col">step</th><th scope="col">actual</th><th scope="col">tool</th><th scope="col">after</th><th scope="col">attempts</th><th scope="col">estimate</th><th scope="col">took</th><th scope="col">can be undone</th></tr></thead>
              <tbody>
                ${steps.map(
                  (step) => html`<tr key=${step.id}>
                    <td><button type="button" class="row-button" onClick=${() => onStep(step.id)}><${Text} text=${step.title || step.id} /></button> <code class="faint"><${Text} text=${step.id} /></code></td>
                    <td><${Status} state=${step.actual} />${step.decided ? html` <span class="faint">decided: ${step.decided}</span>` : null}${step.dropped ? html` <span class="faint">dropped from the plan</span>` : null}${step.permission ? html` <span class="maybe">${step.permission}</span>` : null}</td>
                    <td class="mono"><${Text} text=${step.tool} /></td>
                    <td class="mono">${(step.after || []).join(", ")}</td>
                    <td class="num">${step.attempts || ""}</td>
                    <td class="num">${Number(step.estimate) ? span(step.estimate * 1000) : ""}</td>
                    <td class="num">${took.has(step.id) ? span(/** @type {number} */ (took.get(step.id))) : ""}</td>
                    <td>${step.cancellable === "irreversible" ? "no" : step.cancellable === "partially-reversible" ? "partly" : "yes"}</td>
                  </tr>`,
                )}
              </tbody>
            </table>
          </div>
        </${Panel}>`
      : html`<${Empty} icon="plans" title="Ad hoc: there is no plan.">All actions are listed below.</${Empty}>`}
    ${unplanned.length > 0 &&
    html`<${Panel} title=${`${steps.length ? "Unplanned" : "Done"} (${unplanned.length})`} flush>
      <ul class="plain-list">
        ${unplanned.slice(0, SHOWN).map(
          (line) => html`<li key=${line.id}><${Status} state=${line.state} /><button type="button" class="row-button cut" onClick=${() => onAction(line.id)}><${Text} text=${nameOf(line)} /></button><code class="faint">${line.tool}</code><span class="faint">${line.actor}</span></li>`,
        )}
        ${unplanned.length > SHOWN && html`<li class="soft">and ${unplanned.length - SHOWN} more, in the timeline and the journal</li>`}
      </ul>
    </${Panel}>`}
  </div>`;
}

/**
 * How long each step took, over all of its attempts.
 * @param {Line[]} lines
 */
function durations(lines) {
  const found = new Map();
  for (const line of lines) {
    if (!line.step || !line.ended || line.kind === "undo") continue;
    found.set(line.step, (found.get(line.step) || 0) + Date.parse(line.ended) - Date.parse(line.begun));
  }
  return found;
}
