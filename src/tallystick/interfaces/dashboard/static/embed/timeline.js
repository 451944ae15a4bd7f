/** `<tallystick-timeline>`: one execution as a timeline, with a lane for each agent. */

import { html, useState } from "../html.js";
import { Timeline } from "../timeline/timeline.js";
import { TallystickElement } from "./element.js";

const PAGE = 2000;
const MOST = 20_000;

/** Reports the selected action by an event `tallystick-selected` whose detail is `{id}`. */
export class TallystickTimeline extends TallystickElement {
  static styles = ["timeline"];

  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    const { execution } = await source.get(`/v1/executions/${encodeURIComponent(this.execution || "-")}/status`, { limit: 1 }, signal);
    /** @type {any[]} */
    const lines = [];
    let cursor = "";
    do {
      const page = await source.get("/v1/actions", { execution_id: execution.id, limit: PAGE, cursor }, signal);
      lines.push(...page.actions);
      cursor = page.next_cursor || "";
    } while (cursor && lines.length < MOST);
    return { execution, lines };
  }

  /** @param {any} entry */
  isRelevant(entry) {
    return !this.execution || entry.execution_id === this.execution || entry.kind === "session_ended";
  }

  /** @param {{execution: any, lines: any[]}} data */
  draw({ execution, lines }) {
    const select = (/** @type {string} */ id) => this.dispatchEvent(new CustomEvent("tallystick-selected", { detail: { id }, bubbles: true, composed: true }));
    return html`<${Drawn} execution=${execution} lines=${lines} onSelect=${select} />`;
  }
}

/** @param {{execution: any, lines: any[], onSelect: (id: string) => void}} props */
function Drawn({ execution, lines, onSelect }) {
  const [selected, setSelected] = useState("");
  const select = (/** @type {string} */ id) => (setSelected(id), onSelect(id));
  return html`<${Timeline} lines=${lines} open=${!execution.ended} last=${execution.last} selected=${selected} onSelect=${select} />`;
}
