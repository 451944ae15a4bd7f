/** The actions of an execution in a line each, all of them: what the timeline and the table are drawn from. */

import { get } from "../api.js";
import { useEffect, useRef, useState } from "../html.js";
import { useEntries } from "../live.js";

const PAGE = 2000;
const FEW = 12;
/** Up to so many actions that changed are asked for one by one; more, and all are. */
const SOON = 60;
const ANY = new Set(["session_ended", "body_erased"]);
/** Kinds of entry after which any action may be told otherwise. */

/**
 * @typedef {object} Line
 * @property {string} id
 * @property {string} state
 * @property {string} begun
 * @property {string} [ended]
 * @property {number} seq
 * @property {number} [end_seq]
 * @property {string} [session]
 * @property {string} [actor]
 * @property {string} [actor_kind]
 * @property {string} [witness]
 * @property {string} [kind]
 * @property {string} [undoes]
 * @property {string} [undone_by]
 * @property {string} [owed]
 * @property {string} [tool]
 * @property {string} [step]
 * @property {string} [summary]
 * @property {number} [attempt]
 * @property {boolean} [unplanned]
 * @property {boolean} [late]
 */

/**
 * Every action, in the order in which they began. `whole` is false until the last page is here.
 * @param {string} execution
 * @returns {{lines: Line[], whole: boolean, problem: Error | null}}
 */
export function useLines(execution) {
  const [state, set] = useState(/** @type {any} */ ({ lines: [], whole: false, problem: null }));
  const held = useRef(/** @type {Line[]} */ ([]));
  const changed = useRef(new Set());
  const timer = useRef(/** @type {any} */ (0));
  const turn = useRef(0);

  const show = (/** @type {Line[]} */ lines, whole = true) => {
    held.current = lines;
    set({ lines, whole, problem: null });
  };
  const all = async () => {
    const mine = (turn.current += 1);
    let lines = /** @type {Line[]} */ ([]);
    let cursor = "";
    do {
      const page = await get("/v1/actions", { execution_id: execution, limit: PAGE, cursor });
      if (mine !== turn.current) return;
      lines = lines.concat(page.actions);
      cursor = page.next_cursor || "";
      if (cursor && lines.length > held.current.length) show(lines, false);
    } while (cursor);
    show(lines);
  };
  const some = async () => {
    timer.current = 0;
    const ids = [...changed.current];
    changed.current.clear();
    const known = held.current;
    if (!known.length || ids.length > FEW || ids.includes("*")) return all();
    const mine = turn.current;
    const page = await get("/v1/actions", { execution_id: execution, limit: PAGE, cursor: known[known.length - 1].id });
    const seen = new Set(known.map((line) => line.id));
    const told = await Promise.all(ids.filter((id) => seen.has(id)).map((id) => get(`/v1/actions/${id}`)));
    if (mine !== turn.current) return undefined;
    if (page.next_cursor) return all();
    const anew = new Map(told.map((action) => [action.id, action]));
    show([...known.map((line) => (anew.has(line.id) ? merged(line, anew.get(line.id)) : line)), ...page.actions]);
    return undefined;
  };
  const tried = (/** @type {() => Promise<void>} */ work) =>
    work().catch((problem) => set((/** @type {any} */ before) => ({ ...before, problem })));

  useEffect(() => {
    held.current = [];
    set({ lines: [], whole: false, problem: null });
    void tried(all);
    return () => {
      turn.current += 1;
      clearTimeout(timer.current);
      timer.current = 0;
    };
  }, [execution]);
  useEntries((entry) => {
    const any = !entry || ANY.has(entry.kind);
    if (!any && entry.execution_id !== execution) return;
    changed.current.add(any ? "*" : entry.id);
    timer.current ||= setTimeout(() => tried(some), SOON);
  });
  return state;
}

/**
 * @param {Line} line
 * @param {any} action as `get_action` tells it
 * @returns {Line}
 */
function merged(line, action) {
  const { state, ended, owed, undone_by: undone, attempt } = action;
  return { ...line, state, ended, owed, undone_by: undone, attempt };
}

/** @param {Line} line */
export const nameOf = (line) => line.summary || line.tool || line.step || line.id;

/**
 * The first action that failed, in the order of what was recorded.
 * @param {Line[]} lines
 */
export function firstFailure(lines) {
  return lines.reduce(
    (first, line) => (line.state === "failed" && (!first || (line.end_seq || 0) < (first.end_seq || 0)) ? line : first),
    /** @type {Line | null} */ (null),
  );
}
