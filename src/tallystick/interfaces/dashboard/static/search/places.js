/** Where a match leads, and what it is called. */

import { link } from "../router.js";

/** Word and icon of each kind, in the order of the list. */
export const KINDS = /** @type {Record<string, [string, string]>} */ ({
  recent: ["Recent", "late"],
  page: ["Pages", "table"],
  execution: ["Executions", "executions"],
  plan: ["Plans", "plans"],
  approval: ["Approvals", "approvals"],
  action: ["Actions", "running"],
  decision: ["Decisions", "check"],
  context: ["Context", "context"],
  person: ["People and agents", "person"],
  tool: ["Tools", "settings"],
});

/** @typedef {{kind: string, id: string, title?: string, snippet?: string[], at?: string, who?: string, execution_id?: string, execution_title?: string, path?: string}} Found */

/** @param {string} word */
const quoted = (word) => (/\s/.test(word) ? `"${word}"` : word);

/** @param {Found} found */
export function placeOf(found) {
  const { kind, id } = found;
  if (found.path) return link(found.path);
  if (kind === "execution") return link(`/x/${id}`);
  if (kind === "plan") return link(`/plans/${id}`);
  if (kind === "approval") return link(`/approvals/${id}`);
  if (kind === "action") return link(`/x/${found.execution_id}`, { action: id });
  if (kind === "decision") return link(`/x/${found.execution_id}`, { tab: "journal" });
  if (kind === "context") return link("/context", { text: id.split(" ").slice(1).join(" ") });
  return link("/executions", { q: `${kind === "person" ? "agent" : "tool"}:${quoted(id)}` });
}
