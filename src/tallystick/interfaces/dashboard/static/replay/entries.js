/** Loads all entries of an execution page by page; loaded ones can be shown at once. */

import { get } from "../api.js";
import { useEffect, useState } from "../html.js";
import { write } from "../json/serializer.js";
import { useEntries } from "../live.js";

const PAGE = 1000;

/** @typedef {import("../types.js").EntryView} Entry */

/**
 * @param {string} execution
 * @returns {{entries: Entry[], complete: boolean, problem: Error | null}}
 */
export function useEntryHistory(execution) {
  const [state, set] = useState(/** @type {{entries: Entry[], complete: boolean, problem: Error | null}} */ ({ entries: [], complete: false, problem: null }));
  const [erasures, erased] = useState(0);
  useEntries((entry) => entry?.kind === "body_erased" && erased((before) => before + 1));
  useEffect(() => {
    const abort = new AbortController();
    set({ entries: [], complete: false, problem: null });
    read(execution, abort.signal, (entries, complete) => set({ entries, complete, problem: null }))
      .catch((problem) => !abort.signal.aborted && set((before) => ({ ...before, problem })));
    return () => abort.abort();
  }, [execution, erasures]);
  return state;
}

/**
 * @param {string} execution
 * @param {AbortSignal} signal
 * @param {(entries: Entry[], complete: boolean) => void} onProgress
 */
async function read(execution, signal, onProgress) {
  /** @type {Entry[]} */
  let entries = [];
  let after = 0;
  for (;;) {
    const page = await get("/v1/entries", { execution_id: execution, after, limit: PAGE }, { signal });
    entries = [...entries, ...page.entries];
    after = page.last_seq;
    onProgress(entries, !page.more);
    if (!page.more) return;
  }
}

const HAPPENINGS = new Set(["action_begun", "action_ended", "decision_recorded", "approval_requested", "context_recorded"]);

/**
 * How many entries there are up to the first thing that happened, after what only opens an execution; 0 if there is none.
 * @param {Entry[]} entries
 */
export const countToFirst = (entries) => entries.findIndex((entry) => HAPPENINGS.has(entry.kind)) + 1;

/** A sentence for each kind of entry. */
const WORDS = /** @type {Record<string, string>} */ ({
  execution_started: "The execution started",
  execution_ended: "The execution ended",
  action_begun: "An action began",
  action_ended: "An action ended",
  action_doubted: "An action is in doubt",
  action_noted: "A note on an action",
  decision_recorded: "A decision",
  approval_requested: "A person is asked",
  approval_decided: "A person answered",
  context_recorded: "A context value is recorded",
});

/**
 * One entry as text.
 * @param {Entry} entry
 */
export function entryLine(entry) {
  const { facts = {}, body } = entry;
  const word = facts.channel === "client" ? "A client answered" : (WORDS[entry.kind] ?? entry.kind.replaceAll("_", " "));
  const what = [facts.outcome, facts.decision?.replaceAll("_", " "), facts.verdict, facts.status && entry.kind === "execution_ended" ? facts.status : "", facts.tool, facts.step && `step ${facts.step}`, facts.key];
  const text = body?.summary || body?.why || body?.question || body?.error || body?.reason || "";
  return { word, what: what.filter(Boolean).join(" · "), text: typeof text === "string" ? text : write(text) };
}

/** The kind of mark on the track; empty for ordinary entries. */
export function markOf(/** @type {Entry} */ entry) {
  if (entry.kind === "action_ended" && entry.facts?.outcome === "failed") return "failed";
  if (entry.kind === "action_doubted" || entry.facts?.outcome === "unknown") return "in_doubt";
  if (entry.kind === "decision_recorded") return "decision";
  if (entry.kind.startsWith("approval_")) return "approval";
  return "";
}
