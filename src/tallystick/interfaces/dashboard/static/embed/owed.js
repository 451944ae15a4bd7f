/** `<tallystick-owed>`: the owed actions of an execution, in the order to undo them. */

import { OwedList } from "../execution/owed_list.js";
import { html } from "../html.js";
import { TallystickElement } from "./element.js";

const MAX_OWED = 100;

/** Reports the selected action by an event `tallystick-selected` whose detail is `{id}`. */
export class TallystickOwed extends TallystickElement {
  static styles = ["execution"];

  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    return source.get("/v1/owed", { execution_id: this.execution, limit: MAX_OWED }, signal);
  }

  /** @param {any} entry */
  isRelevant(entry) {
    return entry.kind.startsWith("action_") || entry.kind === "session_ended";
  }

  /** @param {any} page */
  draw(page) {
    const choose = (/** @type {string} */ id) => this.dispatchEvent(new CustomEvent("tallystick-selected", { detail: { id }, bubbles: true, composed: true }));
    return html`<${OwedList} page=${page} rest=${`tallystick owed ${this.execution}`} onAction=${choose} />`;
  }
}
