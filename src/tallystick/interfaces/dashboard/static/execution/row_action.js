/** The button in a row of the waterfall that waits for somebody: it leads to where that is done. */

import { mayRetry } from "../acting/index.js";
import { html } from "../html.js";
import { setQuery } from "../router.js";
import { Button } from "../ui/button.js";
import { visibleText } from "../ui/visible.js";
import { actionOf, titleOf } from "../work/row.js";
import { RowQuestion } from "./questions.js";

/** @typedef {import("../work/rows.js").Row} Row */

const TO_UNDO = ["not_undone", "partly", "failed", "may_be_undo"];

/**
 * Makes the component for the button of a row.
 * @param {boolean} owes whether the execution owes something: undoing comes before another attempt
 * @param {boolean} retries whether another attempt can be permitted
 */
const rowAction = (owes, retries) => (/** @type {{row: Row}} */ { row }) => {
  if (row.kind === "group") return null;
  if (row.state === "waiting") return html`<${RowQuestion} step=${row.id} title=${titleOf(row)} />`;
  if (row.state === "in_doubt") return html`<${Lead} row=${row} word="Settle" to=${{ action: actionOf(row) }} />`;
  if (row.undo_state === "in_doubt") return html`<${Lead} row=${row} word="Settle the undo" to=${{ tab: "doubt" }} />`;
  if (owes && TO_UNDO.includes(row.undo_state || "")) return html`<${Lead} row=${row} word="Undo or keep" to=${{ tab: "undo" }} />`;
  if (retries && row.kind === "step" && row.state === "failed") return html`<${Lead} row=${row} word="Retry" to=${{ step: row.id }} />`;
  return null;
};
const ROW_ACTIONS = [rowAction(false, false), rowAction(false, true), rowAction(true, false), rowAction(true, true)];

/** The component for the buttons of the rows of an execution. @param {{status: string, owed?: number}} execution */
export const rowActionIn = ({ status, owed }) => ROW_ACTIONS[(owed ? 2 : 0) + Number(mayRetry(status))];

/** @param {{row: Row, word: string, to: {action?: string, step?: string, tab?: string}}} props */
function Lead({ row, word, to }) {
  const go = () => setQuery({ action: "", step: "", entry: "", ...to });
  return html`<${Button} aria-label=${`${word}: ${visibleText(titleOf(row))}`} onClick=${go}>${word}<//>`;
}
