/** `<tallystick-owed>`: what was done, or may have been, and is not yet undone, in the order to undo it. */

import { Debts } from "../execution/owed_list.js";
import { html } from "../html.js";
import { TallystickElement } from "./element.js";

const MOST = 100;

/** Tells which action was chosen by an event `tallystick-selected` whose detail is `{id}`. */
export class TallystickOwed extends TallystickElement {
  static styles = ["execution"];

  /** @param {import("./source.js").Source} source @param {AbortSignal} signal */
  async load(source, signal) {
    return source.get("/v1/owed", { execution_id: this.execution, limit: MOST }, signal);
  }

  /** @param {any} entry */
  matters(entry) {
    return entry.kind.startsWith("action_") || entry.kind === "session_ended";
  }

  /** @param {any} page */
  draw(page) {
    const choose = (/** @type {string} */ id) => this.dispatchEvent(new CustomEvent("tallystick-selected", { detail: { id }, bubbles: true, composed: true }));
    return html`<${Debts} page=${page} rest=${`tallystick owed ${this.execution}`} onAction=${choose} />`;
  }
}
