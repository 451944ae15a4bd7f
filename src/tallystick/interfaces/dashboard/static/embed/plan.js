/** `<tallystick-plan>`: the steps of one execution against what was done, with their progress. */

import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Status, Text, shownStatus } from "../ui/index.js";
import { TallystickTimeline } from "./timeline.js";

const MAX_STEPS = 10_000;
const COMPLETE = ["done", "skipped"];

/** Reports each step that becomes done or skipped by an event `step-complete` whose detail is `{execution, step, title, state}`. */
export class TallystickPlan extends TallystickTimeline {
  order = "plan";
  stepLimit = MAX_STEPS;
  #execution = "";
  /** @type {Map<string, string>} */
  #states = new Map();

  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    const data = await super.load(source, signal);
    if (!signal.aborted) this.#report(data);
    return data;
  }

  /** @param {any} data */
  draw(data) {
    const row = data.execution;
    const done = (row.done_steps || 0) + (row.skipped_steps || 0);
    return html`<header class="embedded-head">
        <h3><${Text} text=${row.title || row.id} /></h3><${Status} state=${shownStatus(row)} />
        ${row.failed > 0 && html`<span class="warn"><${Icon} name="failed" size=${14} />${row.failed} failed</span>`}
        ${row.total_steps ? html`<span class="plan-progress"><progress aria-label="Progress" max=${row.total_steps} value=${done} /> ${done} of ${row.total_steps}</span>` : null}
      </header>
      ${super.draw(data)}`;
  }

  /** Only a change that was seen is reported, not what was complete before. @param {any} data */
  #report({ execution, steps = [] }) {
    const before = this.#execution === execution.id ? this.#states : null;
    this.#execution = execution.id;
    this.#states = new Map(steps.map((/** @type {any} */ step) => [step.id, step.actual]));
    if (!before) return;
    for (const step of steps) {
      if (!COMPLETE.includes(step.actual) || COMPLETE.includes(before.get(step.id) || "")) continue;
      const detail = { execution: execution.id, step: step.id, title: step.title || "", state: step.actual };
      this.dispatchEvent(new CustomEvent("step-complete", { detail, bubbles: true, composed: true }));
    }
  }
}
