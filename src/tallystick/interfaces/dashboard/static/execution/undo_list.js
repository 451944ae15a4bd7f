/** The tab Undo list. The page only shows the list; it undoes nothing. */

import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { Loading, ProblemNote } from "../ui/index.js";
import { UndoItems } from "./undo_items.js";

const MAX_ITEMS = 100;
const LEADS = {
  all: "All of this is owed: somebody still has to undo it.",
  some: "What is temporary here, or was begun to be undone, is owed: somebody still has to undo it.",
  nothing: "Nothing of this is owed.",
};

/** @param {{execution: string, onAction: (id: string) => void}} props */
export function UndoListTab({ execution, onAction }) {
  const { data, problem, reload } = useLive({ by: [execution], execution }, (signal) =>
    get(`/v1/executions/${encodeURIComponent(execution)}/undo-list`, { limit: MAX_ITEMS }, { signal }),
  );
  if (problem) return html`<${ProblemNote} problem=${problem} retry=${reload} />`;
  if (!data) return html`<${Loading} />`;
  const lead = LEADS[/** @type {keyof typeof LEADS} */ (data.owed)];
  return html`<${UndoItems} items=${data.items} lead=${lead} more=${Boolean(data.next_cursor)} rest=${`tallystick undo-list ${execution}`} empty="The undo list is empty." onAction=${onAction} />`;
}
