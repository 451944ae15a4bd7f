/** The tab Owed. The page only shows the list; it undoes nothing. */

import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { Loading, ProblemNote } from "../ui/index.js";
import { OwedList } from "./owed_list.js";

const MAX_OWED = 100;

/** @param {{execution: string, onAction: (id: string) => void}} props */
export function OwedTab({ execution, onAction }) {
  const { data, problem, reload } = useLive({ by: [execution], execution }, (signal) =>
    get("/v1/owed", { execution_id: execution, limit: MAX_OWED }, { signal }),
  );
  if (problem) return html`<${ProblemNote} problem=${problem} retry=${reload} />`;
  if (!data) return html`<${Loading} />`;
  return html`<${OwedList} page=${data} rest=${`tallystick owed ${execution}`} onAction=${onAction} />`;
}
