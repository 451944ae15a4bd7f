/** The entries of an execution as the list needs them: read to the end in the background, then followed. */

import { get } from "../api.js";
import { useEffect, useRef, useState } from "../html.js";
import { useEntries } from "../live.js";

const FIRST = 100;
const PAGE = 1000;
/** So many are read at once; at first only what fills a screen. */
const MOST = 60_000;
/** Entries that are read without being asked for; what is behind them is read as one scrolls. */
const LETTERS = 240;
const SOON = 40;
const DRAWN_AFTER = 300;
/** Milliseconds between two drawings while the list is read. */

/**
 * @typedef {object} Slim an entry in a line
 * @property {number} seq
 * @property {string} kind
 * @property {string} at
 * @property {string} id
 * @property {string} actor
 * @property {string} witness
 * @property {string} word what happened, in a word or two
 * @property {string} tool
 * @property {string} text
 * @property {string} outcome
 * @property {boolean} undo
 */

/**
 * @param {string} execution
 * @returns {{entries: Slim[], whole: boolean, problem: Error | null, more: () => void}}
 */
export function useJournal(execution) {
  const [state, set] = useState(/** @type {any} */ ({ entries: [], whole: false, problem: null }));
  const [erasures, erased] = useState(0);
  const held = useRef({ entries: /** @type {Slim[]} */ ([]), last: 0, busy: false, due: false, stop: false, timer: 0 });

  const read = async (/** @type {number} */ most) => {
    const mine = held.current;
    if (mine.busy) {
      mine.due = true;
      return;
    }
    mine.busy = true;
    let drawn = performance.now();
    const draw = (/** @type {boolean} */ whole) => {
      drawn = performance.now();
      set({ entries: mine.entries, whole, problem: null });
    };
    try {
      let more = true;
      do {
        mine.due = false;
        const page = await get("/v1/entries", { execution_id: execution, after: mine.last, limit: mine.last ? PAGE : FIRST });
        if (mine.stop) return;
        if (page.entries.length) mine.entries = mine.entries.concat(page.entries.map(slim));
        mine.last = page.entries.length ? page.entries[page.entries.length - 1].seq : mine.last;
        if (!page.entries.length && page.more) mine.last = page.last_seq;
        more = page.more;
        if (mine.entries.length <= FIRST || performance.now() - drawn > DRAWN_AFTER) draw(!more);
      } while ((more && mine.entries.length < most) || mine.due);
      draw(!more);
    } catch (problem) {
      if (!mine.stop) set((/** @type {any} */ before) => ({ ...before, problem }));
    } finally {
      mine.busy = false;
    }
  };

  useEffect(() => {
    held.current = { entries: [], last: 0, busy: false, due: false, stop: false, timer: 0 };
    const mine = held.current;
    void read(MOST);
    return () => {
      mine.stop = true;
      clearTimeout(mine.timer);
    };
  }, [execution, erasures]);
  useEntries((entry) => {
    if (entry?.kind === "body_erased") erased((before) => before + 1); // all is read anew: which texts are gone is not told here
    if (entry && entry.execution_id !== execution) return;
    const mine = held.current;
    clearTimeout(mine.timer);
    mine.timer = /** @type {any} */ (setTimeout(() => read(MOST), SOON));
  });
  return { ...state, more: () => void (!state.whole && read(held.current.entries.length + PAGE)) };
}

/**
 * @param {any} entry
 * @returns {Slim}
 */
function slim(entry) {
  const { facts = {}, body } = entry;
  const said = body && typeof body === "object" ? body : {};
  const text = said.error || said.summary || said.title || said.why || said.question || said.reason || said.answer || facts.key || facts.event || facts.reason || "";
  return {
    seq: entry.seq,
    kind: entry.kind,
    at: entry.at,
    id: entry.id,
    actor: entry.actor,
    witness: entry.witness,
    word: facts.decision || facts.verdict || facts.status || facts.event || "",
    tool: facts.tool || "",
    text: String(text).slice(0, LETTERS),
    outcome: facts.outcome || (entry.kind === "action_doubted" ? "in_doubt" : ""),
    undo: facts.action_kind === "undo",
  };
}
