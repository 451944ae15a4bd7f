/** What is owed, as a checklist in the order to undo it. The page shows it, and never does any of it. */

import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { Loading, ProblemNote } from "../ui/index.js";
import { Debts } from "./owed_list.js";

const MOST = 100;

/** @param {{execution: string, onAction: (id: string) => void}} props */
export function OwedTab({ execution, onAction }) {
  const { data, problem, reload } = useLive({ by: [execution], execution }, (signal) =>
    get("/v1/owed", { execution_id: execution, limit: MOST }, { signal }),
  );
  if (problem) return html`<${ProblemNote} problem=${problem} retry=${reload} />`;
  if (!data) return html`<${Loading} />`;
  return html`<${Debts} page=${data} rest=${`tallystick owed ${execution}`} onAction=${onAction} />`;
}
