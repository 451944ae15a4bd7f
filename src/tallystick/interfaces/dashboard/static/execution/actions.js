/** Loads all actions of an execution, one line each: the journal shows their states. */

import { get } from "../api.js";
import { useEffect, useRef, useState } from "../html.js";
import { useEntries } from "../live.js";

const PAGE = 2000;
const MAX_SINGLE_READS = 12;
/** Up to this many changed actions are loaded one by one; for more, all are loaded. */
const COLLECT_MILLISECONDS = 60;
const KINDS_THAT_CHANGE_ANY = new Set(["session_ended", "body_erased"]);
/** Kinds of entry that may change the state of any action. */

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
 * @property {string} [undo_state]
 * @property {string} [lost]
 * @property {string} [tool]
 * @property {string} [step]
 * @property {string} [summary]
 * @property {number} [attempt]
 * @property {boolean} [unplanned]
 * @property {boolean} [late]
 */

/**
 * Every action, in the order in which they began. `complete` is false until the last page is loaded.
 * @param {string} execution
 * @returns {{lines: Line[], complete: boolean, problem: Error | null}}
 */
export function useActions(execution) {
  const [state, set] = useState(/** @type {any} */ ({ lines: [], complete: false, problem: null }));
  const loaded = useRef(/** @type {Line[]} */ ([]));
  const changed = useRef(new Set());
  const timer = useRef(/** @type {any} */ (0));
  const turn = useRef(0);

  const show = (/** @type {Line[]} */ lines, complete = true) => {
    loaded.current = lines;
    set({ lines, complete, problem: null });
  };
  const all = async () => {
    const thisTurn = (turn.current += 1);
    let lines = /** @type {Line[]} */ ([]);
    let cursor = "";
    do {
      const page = await get("/v1/actions", { execution_id: execution, limit: PAGE, cursor });
      if (thisTurn !== turn.current) return;
      lines = lines.concat(page.actions);
      cursor = page.next_cursor || "";
      if (cursor && lines.length > loaded.current.length) show(lines, false);
    } while (cursor);
    show(lines);
  };
  const some = async () => {
    timer.current = 0;
    const ids = [...changed.current];
    changed.current.clear();
    const known = loaded.current;
    if (!known.length || ids.length > MAX_SINGLE_READS || ids.includes("*")) return all();
    const thisTurn = turn.current;
    const page = await get("/v1/actions", { execution_id: execution, limit: PAGE, cursor: known[known.length - 1].id });
    const seen = new Set(known.map((line) => line.id));
    const changedActions = await Promise.all(ids.filter((id) => seen.has(id)).map((id) => get(`/v1/actions/${id}`)));
    if (thisTurn !== turn.current) return undefined;
    if (page.next_cursor) return all();
    const byId = new Map(changedActions.map((action) => [action.id, action]));
    show([...known.map((line) => (byId.has(line.id) ? merged(line, byId.get(line.id)) : line)), ...page.actions]);
    return undefined;
  };
  const reportProblem = (/** @type {() => Promise<void>} */ work) =>
    work().catch((problem) => set((/** @type {any} */ before) => ({ ...before, problem })));

  useEffect(() => {
    loaded.current = [];
    set({ lines: [], complete: false, problem: null });
    void reportProblem(all);
    return () => {
      turn.current += 1;
      clearTimeout(timer.current);
      timer.current = 0;
    };
  }, [execution]);
  useEntries((entry) => {
    const any = !entry || KINDS_THAT_CHANGE_ANY.has(entry.kind);
    if (!any && entry.execution_id !== execution) return;
    changed.current.add(any ? "*" : entry.id);
    timer.current ||= setTimeout(() => reportProblem(some), COLLECT_MILLISECONDS);
  });
  return state;
}

/**
 * @param {Line} line
 * @param {any} action the result of `get_action`
 * @returns {Line}
 */
function merged(line, action) {
  const { state, ended, lost, undo_state: undoState, undone_by: undone, attempt } = action;
  return { ...line, state, ended, lost, undo_state: undoState, undone_by: undone, attempt };
}

/** @param {{summary?: string, tool?: string, step?: string, id: string}} line */
export const nameOf = (line) => line.summary || line.tool || line.step || line.id;
