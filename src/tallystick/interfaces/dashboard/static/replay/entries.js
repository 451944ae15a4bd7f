/** All entries of an execution, read page by page; what is there can be looked at while the rest comes. */

import { get } from "../api.js";
import { useEffect, useState } from "../html.js";
import { write } from "../json/serializer.js";
import { useEntries } from "../live.js";

const PAGE = 1000;

/** @typedef {import("../types.js").EntryView} Entry */

/**
 * @param {string} execution
 * @returns {{entries: Entry[], whole: boolean, problem: Error | null}}
 */
export function useStory(execution) {
  const [state, set] = useState(/** @type {{entries: Entry[], whole: boolean, problem: Error | null}} */ ({ entries: [], whole: false, problem: null }));
  const [erasures, erased] = useState(0);
  useEntries((entry) => entry?.kind === "body_erased" && erased((before) => before + 1));
  useEffect(() => {
    const abort = new AbortController();
    set({ entries: [], whole: false, problem: null });
    read(execution, abort.signal, (entries, whole) => set({ entries, whole, problem: null }))
      .catch((problem) => !abort.signal.aborted && set((before) => ({ ...before, problem })));
    return () => abort.abort();
  }, [execution, erasures]);
  return state;
}

/**
 * @param {string} execution
 * @param {AbortSignal} signal
 * @param {(entries: Entry[], whole: boolean) => void} tell
 */
async function read(execution, signal, tell) {
  /** @type {Entry[]} */
  let entries = [];
  let after = 0;
  for (;;) {
    const page = await get("/v1/entries", { execution_id: execution, after, limit: PAGE }, { signal });
    entries = [...entries, ...page.entries];
    after = page.last_seq;
    tell(entries, !page.more);
    if (!page.more) return;
  }
}

/** Words for each kind of entry, for who reads along. */
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
  context_recorded: "Something is remembered",
});

/**
 * One entry in a line.
 * @param {Entry} entry
 */
export function entryLine(entry) {
  const { facts = {}, body } = entry;
  const word = WORDS[entry.kind] ?? entry.kind.replaceAll("_", " ");
  const what = [facts.outcome, facts.decision?.replaceAll("_", " "), facts.verdict, facts.status && entry.kind === "execution_ended" ? facts.status : "", facts.tool, facts.step && `step ${facts.step}`, facts.key];
  const said = body?.summary || body?.why || body?.question || body?.error || body?.reason || "";
  return { word, what: what.filter(Boolean).join(" · "), said: typeof said === "string" ? said : write(said) };
}

/** Entries that somebody would look for: their kind of mark on the track. */
export function markOf(/** @type {Entry} */ entry) {
  if (entry.kind === "action_ended" && entry.facts?.outcome === "failed") return "failed";
  if (entry.kind === "action_doubted" || entry.facts?.outcome === "unknown") return "in_doubt";
  if (entry.kind === "decision_recorded") return "decision";
  if (entry.kind.startsWith("approval_")) return "approval";
  return "";
}
