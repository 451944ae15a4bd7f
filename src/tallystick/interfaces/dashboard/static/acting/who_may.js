/** Names the people who may decide, for whoever may not. */

import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { Text } from "../ui/text.js";

const MAX_READ = 200;
const KINDS = ["credential_added", "credential_revoked"];

/**
 * The names of credentials with the scope `approve` that are neither revoked nor expired; empty if the entries cannot be read.
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>}
 */
async function load(signal) {
  const pages = await Promise.all(KINDS.map((kind) => get("/v1/entries", { kind, newest_first: true, limit: MAX_READ }, { signal })));
  const entries = pages.flatMap((page) => page.entries).toSorted((one, other) => one.seq - other.seq);
  const names = new Set();
  for (const { kind, facts } of entries) {
    const holds = kind === "credential_added" && facts.scopes?.includes("approve") && !(facts.expires && isOver(facts.expires));
    if (holds) names.add(facts.name);
    else names.delete(facts.name);
  }
  return [...names];
}

/** @param {string | number} at a time, or microseconds */
const isOver = (at) => (typeof at === "number" ? at / 1000 : Date.parse(at)) <= Date.now();

/** Who may decide here. */
export function WhoMay() {
  const { data } = useLive({ kinds: ["credential_"] }, (signal) => load(signal).catch(() => []));
  if (!data) return null;
  if (!data.length) return html`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`;
  return html`<p class="soft who-may">May decide: ${data.map((name, at) => html`${at ? ", " : ""}<strong><${Text} text=${name} /></strong>`)}.</p>`;
}
