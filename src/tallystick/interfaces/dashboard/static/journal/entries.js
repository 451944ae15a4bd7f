/** Loads the entries of an execution in the background, and follows new ones. */

import { get } from "../api.js";
import { useEffect, useRef, useState } from "../html.js";
import { useEntries } from "../live.js";

const FIRST = 100;
const PAGE = 1000;
/** Entries of one request; the first request loads only what fills a screen. */
const MOST = 60_000;
/** Entries that are loaded without scrolling; later ones are loaded while scrolling. */
const LETTERS = 240;
const SOON = 40;
const DRAWN_AFTER = 300;
/** Milliseconds between two redraws while entries are loaded. */

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
 * @property {boolean} late it was recorded when the action was over, so that it tells no duration
 * @property {number} behind seconds by which its clock was set back, if more than five minutes
 */

/**
 * @param {string} execution
 * @returns {{entries: Slim[], complete: boolean, problem: Error | null, more: () => void}}
 */
export function useJournal(execution) {
  const [state, set] = useState(/** @type {any} */ ({ entries: [], complete: false, problem: null }));
  const [erasures, erased] = useState(0);
  const progress = useRef({ entries: /** @type {Slim[]} */ ([]), last: 0, busy: false, due: false, stop: false, timer: 0 });

  const read = async (/** @type {number} */ limit) => {
    const reading = progress.current;
    if (reading.busy) {
      reading.due = true;
      return;
    }
    reading.busy = true;
    let drawn = performance.now();
    const draw = (/** @type {boolean} */ complete) => {
      drawn = performance.now();
      set({ entries: reading.entries, complete, problem: null });
    };
    try {
      let more = true;
      do {
        reading.due = false;
        const page = await get("/v1/entries", { execution_id: execution, after: reading.last, limit: reading.last ? PAGE : FIRST });
        if (reading.stop) return;
        if (page.entries.length) reading.entries = reading.entries.concat(page.entries.map(slim));
        reading.last = page.entries.length ? page.entries[page.entries.length - 1].seq : reading.last;
        if (!page.entries.length && page.more) reading.last = page.last_seq;
        more = page.more;
        if (reading.entries.length <= FIRST || performance.now() - drawn > DRAWN_AFTER) draw(!more);
      } while ((more && reading.entries.length < limit) || reading.due);
      draw(!more);
    } catch (problem) {
      if (!reading.stop) set((/** @type {any} */ before) => ({ ...before, problem }));
    } finally {
      reading.busy = false;
    }
  };

  useEffect(() => {
    progress.current = { entries: [], last: 0, busy: false, due: false, stop: false, timer: 0 };
    const reading = progress.current;
    void read(MOST);
    return () => {
      reading.stop = true;
      clearTimeout(reading.timer);
    };
  }, [execution, erasures]);
  useEntries((entry) => {
    if (entry?.kind === "body_erased") erased((before) => before + 1); // load all again: the entry does not say which texts were erased
    if (entry && entry.execution_id !== execution) return;
    const reading = progress.current;
    clearTimeout(reading.timer);
    reading.timer = /** @type {any} */ (setTimeout(() => read(MOST), SOON));
  });
  return { ...state, more: () => void (!state.complete && read(progress.current.entries.length + PAGE)) };
}

/**
 * @param {any} entry
 * @returns {Slim}
 */
function slim(entry) {
  const { facts = {}, body } = entry;
  const fields = body && typeof body === "object" ? body : {};
  const worth = facts.channel === "client" ? "in a client that could have answered by itself " : "";
  const text = fields.error || fields.summary || fields.title || fields.why || fields.question || fields.reason || fields.answer || facts.key || facts.event || facts.reason || facts.problem || "";
  return {
    seq: entry.seq,
    kind: entry.kind,
    at: entry.at,
    id: entry.id,
    actor: facts.credential || entry.actor,
    witness: entry.witness,
    word: facts.decision || facts.verdict || facts.status || facts.event || "",
    tool: facts.tool || "",
    text: `${worth}${text}`.slice(0, LETTERS),
    outcome: facts.outcome || (entry.kind === "action_doubted" ? "in_doubt" : ""),
    undo: facts.action_kind === "undo",
    behind: entry.behind || 0,
    late: Boolean(facts.settles || facts.contradicts || facts.after_the_fact),
  };
}
