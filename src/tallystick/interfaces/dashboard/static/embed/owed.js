/** `<tallystick-owed>`: what somebody still has to undo of an execution, or of all, in the order to undo it. */

import { UndoItems } from "../execution/undo_items.js";
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
    return entry.kind.startsWith("action_") || ["session_ended", "execution_ended", "decision_recorded"].includes(entry.kind);
  }

  /** @param {any} page */
  draw(page) {
    const choose = (/** @type {string} */ id) => this.dispatchEvent(new CustomEvent("tallystick-selected", { detail: { id }, bubbles: true, composed: true }));
    const lead = `Owed: ${page.more_due ? "more than " : ""}${page.due}.`;
    return html`<${UndoItems} items=${page.owed} lead=${lead} more=${Boolean(page.next_cursor)} rest=${`tallystick owed ${this.execution}`} empty="Nothing is owed." onAction=${choose} />`;
  }
}
