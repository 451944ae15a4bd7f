/** `<tallystick-timeline>`: the work of one execution by time, as a waterfall. */

import { html } from "../html.js";
import { actionOf } from "../work/row.js";
import { useWork } from "../work/rows.js";
import { Waterfall } from "../work/waterfall.js";
import { TallystickElement } from "./element.js";

/** Reports the selected action or step by an event `tallystick-selected` whose detail is `{id}`. */
export class TallystickTimeline extends TallystickElement {
  static styles = ["work"];
  order = "time";
  stepLimit = 1;

  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    return { source, ...(await source.get(`/v1/executions/${encodeURIComponent(this.execution || "-")}/status`, { limit: this.stepLimit }, signal)) };
  }

  /** @param {any} entry */
  isRelevant(entry) {
    return !this.execution || entry.execution_id === this.execution || entry.kind === "session_ended";
  }

  /** @param {any} data */
  draw(data) {
    const select = (/** @type {string} */ id) => this.dispatchEvent(new CustomEvent("tallystick-selected", { detail: { id }, bubbles: true, composed: true }));
    return html`<${Drawn} data=${data} order=${this.order} onSelect=${select} />`;
  }
}

/** @param {{data: any, order: string, onSelect: (id: string) => void}} props */
function Drawn({ data, order, onSelect }) {
  const { source, execution } = data;
  const read = (/** @type {any} */ params) => source.get(`/v1/executions/${encodeURIComponent(execution.id)}/work`, params);
  const work = useWork({ read, wanted: { order }, by: execution.id, version: data });
  return html`<${Waterfall} work=${work} execution=${execution} onSelect=${(/** @type {any} */ row) => onSelect(actionOf(row) || row.id)} />`;
}
