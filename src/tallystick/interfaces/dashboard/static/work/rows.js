/** Loads the rows of an execution page by page, and keeps those in view current. The server folds equal calls. */

import { useCallback, useEffect, useMemo, useReducer, useRef } from "../html.js";

const FIRST_PAGE = 200;
/** Rows that are read at once: the first page is small, so that something is seen soon. */
const PAGE = 1000;
/** Actions that are read at once of an unfolded group. */
const MAX_INSIDE = 500;

/**
 * A row of `list_work`, and what the page adds: `key` is unique in the list, `depth` is 1 inside an unfolded row, `shown` how many
 * actions of it are, if not all. A row `rest` stands for those that are not: `of` is the row that it belongs to.
 * @typedef {object} Row
 * @property {"step" | "action" | "group" | "rest"} kind
 * @property {string} id
 * @property {string} state
 * @property {string} key
 * @property {number} depth
 * @property {string} [summary]
 * @property {string} [tool]
 * @property {string} [step]
 * @property {string} [action_id]
 * @property {string} [action_kind]
 * @property {string} [actor]
 * @property {string} [actor_kind]
 * @property {string} [witness]
 * @property {string} [begun]
 * @property {string} [ended]
 * @property {string} [lost]
 * @property {number} [attempts]
 * @property {string} [undo_state]
 * @property {string} [undoes]
 * @property {string} [undone_by]
 * @property {string} [error]
 * @property {boolean} [unplanned]
 * @property {boolean} [late]
 * @property {boolean} [temporary]
 * @property {string} [permission]
 * @property {string} [silent]
 * @property {string} [unserved]
 * @property {string} [decided]
 * @property {boolean} [dropped]
 * @property {string} [cancellable]
 * @property {string[]} [after]
 * @property {number} [estimate]
 * @property {number} [count]
 * @property {Record<string, number>} [states]
 * @property {string} [inside]
 * @property {number} [shown]
 * @property {Row} [of]
 */
/** @typedef {{rows: any[], next: string}} Inside the actions of an unfolded row, as far as they were read */
/** @typedef {(params: Record<string, unknown>) => Promise<{rows: any[], next_cursor?: string}>} Read `list_work` of one execution */
/** @typedef {{cursor: string, next: string, rows: any[], stale: boolean}} WorkPage */
/** @typedef {{order: string, only?: string}} Wanted */

/** @param {Wanted} wanted */
function paramsOf({ order, only }) {
  if (only) return { only };
  return order === "newest" ? { newest_first: true } : { order };
}

/**
 * The rows that are loaded. `more` loads the next page, `see` tells which rows are in view, `toggle` unfolds one.
 * `reveal` loads and unfolds until an action is among the rows. A new `version` says that something may have changed: the pages in view, the last one and unfolded rows are read again.
 * @param {{read: Read, wanted: Wanted, by: string, version: unknown}} props `by` is what `read` depends on
 */
export function useWork({ read, wanted, by, version }) {
  const [, draw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const state = useRef(newState()).current;
  const newest = useRef({ read, wanted });
  newest.current = { read, wanted };

  /** Only the last turn may change what is shown. @param {(turn: object) => Promise<void>} work */
  const attempt = async (work) => {
    const { turn } = state;
    try {
      await work(turn);
      if (turn === state.turn) state.problem = null;
    } catch (problem) {
      if (turn === state.turn) state.problem = /** @type {any} */ (problem);
    }
    if (turn === state.turn) draw(0);
  };
  const load = async (/** @type {object} */ turn, /** @type {number} */ index) => {
    const cursor = index ? state.pages[index - 1].next : "";
    const limit = index ? PAGE : FIRST_PAGE;
    const found = await newest.current.read({ ...paramsOf(newest.current.wanted), limit, cursor });
    if (turn !== state.turn) return;
    const before = state.pages[index];
    state.pages[index] = { cursor, next: found.next_cursor || "", rows: found.rows, stale: false };
    if (before && before.next !== state.pages[index].next) state.pages.length = index + 1; // what follows begins elsewhere
    state.version += 1;
    state.complete = !state.pages[state.pages.length - 1].next;
  };
  /** Read the actions of an unfolded row again, or with `further` those that follow. @param {object} turn @param {Row} row @param {boolean} [further] */
  const inside = async (turn, row, further = false) => {
    const before = state.open.get(row.key);
    let { rows, next } = further && before ? before : { rows: [], next: row.inside || "" };
    const count = further ? rows.length + MAX_INSIDE : Math.max(MAX_INSIDE, before?.rows.length || 0);
    const wanted = row.kind === "group" ? Math.min(row.count || 1, count) : count; // behind a group stand others
    const how = row.kind === "group" ? paramsOf(newest.current.wanted) : { step: row.id };
    do {
      const found = await newest.current.read({ ...how, cursor: next, limit: Math.min(wanted - rows.length, PAGE), unfolded: true });
      rows = [...rows, ...found.rows];
      next = found.next_cursor || "";
    } while (next && rows.length < wanted);
    if (turn === state.turn && state.open.has(row.key)) state.open.set(row.key, { rows, next });
    state.version += 1;
  };

  const more = useCallback(() => {
    if (state.loading || state.complete || !state.pages.length) return;
    state.loading = true;
    void attempt((turn) => load(turn, state.pages.length)).finally(() => {
      state.loading = false;
      draw(0);
    });
  }, []);
  const refresh = useCallback(() => {
    if (state.loading) return void (state.due = true);
    state.loading = true;
    const [first, last] = state.view;
    void attempt(async (turn) => {
      const seen = state.pages.map((_, index) => index).filter((index) => index === 0 || (index >= first && index <= last) || index === state.pages.length - 1);
      for (const page of state.pages) page.stale = true;
      for (const index of seen) if (state.pages[index] || !index) await load(turn, index);
      if (!state.pages.length) await load(turn, 0);
      for (const row of listed(state).rows.filter(({ depth, key }) => !depth && state.open.has(key))) await inside(turn, row);
    }).finally(() => {
      state.loading = false;
      if (state.due) (state.due = false), refresh();
      draw(0);
    });
  }, []);
  const see = useCallback((/** @type {number} */ first, /** @type {number} */ last) => {
    state.view = [first, last];
    if (!state.loading && state.pages.slice(first, last + 1).some((page) => page.stale)) refresh();
  }, []);
  const toggle = useCallback((/** @type {Row} */ row) => {
    if (!state.open.delete(row.key)) {
      state.open.set(row.key, null);
      void attempt((turn) => inside(turn, row));
    }
    state.version += 1;
    draw(0);
  }, []);
  const reveal = useCallback((/** @type {any} */ action) => attempt(async (turn) => {
    const backwards = newest.current.wanted.order === "newest" && !newest.current.wanted.only;
    const isIn = () => listed(state).rows.some((row) => row.kind !== "group" && (row.id === action.id || row.action_id === action.id));
    while (turn === state.turn && !isIn() && !state.complete && state.pages.length && !isBehind(listed(state).rows, action, backwards)) await load(turn, state.pages.length);
    for (const row of holdersOf(listed(state).rows, action)) {
      const wasOpen = state.open.has(row.key);
      while (turn === state.turn && !isIn()) {
        const before = state.open.get(row.key);
        if (before && (!before.next || before.rows.length >= (row.count || Infinity))) break;
        if (!before) state.open.set(row.key, null);
        await inside(turn, row, Boolean(before));
      }
      if (isIn()) return;
      if (!wasOpen) state.open.delete(row.key);
    }
    state.version += 1;
  }), []);
  const further = useCallback((/** @type {Row} */ row) => void attempt((turn) => inside(turn, row, true)), []);

  useEffect(() => {
    Object.assign(state, newState());
    draw(0);
    refresh();
    return () => void (state.turn = {});
  }, [by, wanted.order, wanted.only]);
  const seenVersion = useRef(version);
  useEffect(() => {
    if (seenVersion.current === version) return;
    seenVersion.current = version;
    refresh();
  }, [version]);

  const { rows, pageOf } = useMemo(() => listed(state), [state.version, state.turn]);
  return { rows, pageOf, complete: state.complete, started: state.pages.length > 0, problem: state.problem, open: state.open, more, see, toggle, further, reveal, retry: refresh };
}

/** @returns {{turn: object, pages: WorkPage[], open: Map<string, Inside | null>, view: [number, number],
 *   loading: boolean, due: boolean, complete: boolean, version: number, problem: Error | null}} */
const newState = () => ({ turn: {}, pages: [], open: new Map(), view: [0, 0], loading: false, due: false, complete: false, version: 0, problem: null });

/**
 * The rows of all pages, with those inside unfolded ones; and the page of each.
 * @param {{pages: WorkPage[], open: Map<string, Inside | null>}} state
 */
export function listed({ pages, open }) {
  const found = /** @type {{row: Row, page: number}[]} */ ([]);
  pages.forEach((page, number) => {
    for (const each of page.rows) {
      const row = { ...each, key: `${each.kind} ${each.id}`, depth: 0 };
      const last = found.at(-1);
      if (last && continues(last.row, row)) last.row = joined(last.row, row);
      else found.push({ row, page: number });
    }
  });
  /** @type {Row[]} */
  const rows = [];
  /** @type {number[]} */
  const pageOf = [];
  for (const { row, page } of found) for (const each of unfolded(row, open.get(row.key))) (rows.push(each), pageOf.push(page));
  return { rows, pageOf };
}

/** Whether the rows reach beyond the place of an action. @param {Row[]} rows @param {Row} action @param {boolean} backwards */
function isBehind(rows, action, backwards) {
  const at = Date.parse(action.begun || "");
  return rows.some((row) => row.kind === "step" ? row.id === action.step : backwards ? Date.parse(row.begun || "") < at : Date.parse(row.begun || "") > at);
}

/** The rows that may have an action inside, the most likely first. @param {Row[]} rows @param {Row} action */
export function holdersOf(rows, action) {
  const at = Date.parse(action.begun || "");
  const steps = rows.filter((row) => row.kind === "step" && row.id === action.step);
  const groups = rows.filter((row) => row.kind === "group" && (!row.tool || row.tool === action.tool) && (row.step || "") === (action.step || "") && row.actor === action.actor);
  const near = (/** @type {Row} */ row) => Math.abs(at - Date.parse(row.begun || ""));
  return [...steps, ...groups.toSorted((one, other) => near(one) - near(other))];
}

/** A row and what is read of its inside. @param {Row} row @param {Inside | null} [inside] @returns {Row[]} */
function unfolded(row, inside) {
  if (!inside) return [row];
  const shown = inside.rows.length;
  const more = row.kind === "group" ? (row.count || 0) > shown : Boolean(inside.next);
  const below = inside.rows.map((each) => ({ ...each, key: `${row.key} ${each.id}`, depth: 1 }));
  if (!more) return [row, ...below];
  return [{ ...row, shown }, ...below, { kind: "rest", id: "", state: "", key: `${row.key} rest`, depth: 1, count: row.count, shown, of: row }];
}

/** Whether a group goes on from one page to the next. @param {Row} last @param {Row} row */
function continues(last, row) {
  const alike = last.kind === "group" && row.kind === "group";
  return alike && last.tool === row.tool && last.step === row.step && last.actor === row.actor && Boolean(last.tool || last.actor_kind === "sub-agent");
}

/** @param {Row} last @param {Row} row @returns {Row} */
function joined(last, row) {
  const states = { ...last.states };
  for (const [state, count] of Object.entries(row.states || {})) states[state] = (states[state] || 0) + count;
  const state = states.failed ? "failed" : last.state;
  return { ...last, state, states, count: (last.count || 0) + (row.count || 0), ended: row.ended || last.ended, error: last.error || row.error };
}
