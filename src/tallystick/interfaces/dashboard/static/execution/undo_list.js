/** The tab Undo list. The page only shows the list; it undoes nothing. */

import { OwedActs, useKeptRows } from "../acting/index.js";
import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { Loading, ProblemNote } from "../ui/index.js";
import { UndoItems } from "./undo_items.js";

const MAX_ITEMS = 100;

/** Whether its undo is possible for a while only: Home asks for it before that is over. @param {any} item */
const expires = (item) => Date.parse(item.deadline) > Date.now();

/** @param {any} page how much of the list somebody still has to undo */
function lead(page) {
  if (page.owed === "nothing") return `Nothing of this is owed.${page.items.some(expires) ? " Some of it can be undone only for a while: undo or keep it in time." : ""}`;
  const some = `${page.more_due ? "More than " : ""}${page.due} of this ${page.due === 1 ? "is" : "are"}`;
  return `${page.owed === "all" ? "All of this is" : some} owed: somebody still has to undo it.`;
}

/** @param {{execution: string, onAction: (id: string) => void}} props */
export function UndoListTab({ execution, onAction }) {
  const { data, problem, reload } = useLive({ by: [execution], execution }, (signal) =>
    get(`/v1/executions/${encodeURIComponent(execution)}/undo-list`, { limit: MAX_ITEMS }, { signal }),
  );
  const items = useKeptRows(data?.items ?? []);
  if (!data) return problem ? html`<${ProblemNote} problem=${problem} retry=${reload} />` : html`<${Loading} />`;
  return html`<${ProblemNote} problem=${problem} retry=${reload} />
    <${UndoItems} items=${items} lead=${lead(data)} more=${Boolean(data.next_cursor)} rest=${`tallystick undo-list ${execution}`} empty="The undo list is empty." onAction=${onAction}
    actsOf=${(/** @type {any} */ item) => html`<${OwedActs} item=${item} offered=${data.owed !== "nothing" || expires(item)} onDone=${reload} />`} />`;
}
