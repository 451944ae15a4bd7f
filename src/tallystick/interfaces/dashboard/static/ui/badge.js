/** States as icon, word and colour. */

import { html, names } from "../html.js";
import { Icon } from "../icons.js";

/** Tone, icon and word of each state of executions, steps, actions, undos and approvals. */
const STATES = {
  running: ["running", "running", "running"],
  open: ["running", "running", "running"],
  paused: ["idle", "paused", "paused"],
  blocked: ["waiting", "blocked", "waiting for a person"],
  unwinding: ["undo", "unwinding", "unwinding"],
  interrupted: ["doubt", "warning", "interrupted"],
  waiting: ["waiting", "blocked", "waiting for a person"],
  completed: ["ok", "completed", "completed"],
  done: ["ok", "completed", "done"],
  ok: ["ok", "completed", "ok"],
  failed: ["failed", "failed", "failed"],
  cancelled: ["idle", "cancelled", "cancelled"],
  closed: ["idle", "check", "closed"],
  skipped: ["idle", "skipped", "skipped"],
  planned: ["idle", "planned", "planned"],
  in_doubt: ["doubt", "in_doubt", "in doubt"],
  doubted: ["doubt", "in_doubt", "in doubt"],
  unknown: ["doubt", "in_doubt", "in doubt"],
  unplanned: ["plain", "unplanned", "unplanned"],
  not_undone: ["undo", "owed", "not undone"],
  undoing: ["running", "unwinding", "being undone"],
  partly: ["doubt", "owed", "partly undone"],
  undone: ["undo", "unwinding", "undone"],
  kept: ["ok", "check", "kept"],
  not_possible: ["idle", "cancelled", "cannot be undone"],
  may_be_undo: ["plain", "unplanned", "may be an undo"],
  pending: ["waiting", "blocked", "pending"],
  expired: ["idle", "late", "expired"],
  approve: ["ok", "completed", "accepted"],
  edit: ["ok", "edit", "accepted with changes"],
  reject: ["failed", "failed", "rejected"],
  respond: ["ok", "reply", "answered"],
  used: ["idle", "check", "used"],
  active: ["ok", "plans", "active"],
  superseded: ["idle", "late", "superseded"],
  archived: ["idle", "save", "archived"],
  disabled: ["failed", "failed", "disabled"],
};

/**
 * The tone (a CSS class), icon and word of a state. An unknown state is shown by its name.
 * @param {string} name
 */
export function state(name) {
  const [tone, icon, word] = STATES[/** @type {keyof typeof STATES} */ (name)] || ["idle", "planned", name];
  return { tone, icon, word };
}

/** The state of an execution as people see it. @param {{status: string, interrupted?: string, only_waits?: boolean}} row */
export const shownStatus = (row) => (row.interrupted ? "interrupted" : row.only_waits ? "waiting" : row.status);

/**
 * A state as an icon and its word.
 * @param {{state: string, word?: string, quiet?: boolean}} props `quiet` leaves the background out
 */
export function Status({ state: name, word, quiet = false }) {
  const { tone, icon, word: usual } = state(name);
  return html`<span class=${names("status", `tone-${tone}`, quiet && "status-quiet")}>
    <${Icon} name=${icon} /><span>${word || usual}</span>
  </span>`;
}

/**
 * A small count or word in a tone.
 * @param {{tone?: string, icon?: string, title?: string, children?: any}} props
 */
export function Badge({ tone = "plain", icon, title, children }) {
  return html`<span class=${`badge tone-${tone}`} title=${title}>
    ${icon && html`<${Icon} name=${icon} size=${14} />`}<span>${children}</span>
  </span>`;
}

/**
 * The source of an entry: claimed by the agent, or observed by a hook, gateway or runner.
 * @param {{witness: string}} props
 */
export function Witness({ witness }) {
  const seen = witness === "observed";
  const title = seen ? "A hook, gateway or runner saw it" : "The agent reported it";
  return html`<span class=${`witness witness-${seen ? "observed" : "claimed"}`} title=${title}>
    <${Icon} name=${seen ? "observed" : "claimed"} size=${14} /><span>${witness}</span>
  </span>`;
}
