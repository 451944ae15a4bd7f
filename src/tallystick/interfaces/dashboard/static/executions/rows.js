/** The rows of the list: asked for page by page as one scrolls, and asked for again as they change. */

import { get } from "../api.js";
import { useCallback, useRef, useState } from "../html.js";
import { useLive } from "../live.js";

const PAGE = 100;
const CURRENT = 300;
/** Rows from the top that are asked for again when something lands; further down, as they were when they came. */

/**
 * @param {Record<string, unknown>} params
 * @param {string} by
 */
export function useRows(params, by) {
  const held = useRef(/** @type {{by: string, rows: any[], cursor: string}} */ ({ by, rows: [], cursor: "" }));
  const [, redraw] = useState(0);
  const busy = useRef(false);
  const load = async (/** @type {AbortSignal} */ signal) => {
    const wanted = held.current.by === by ? Math.min(Math.max(held.current.rows.length, PAGE), CURRENT) : PAGE;
    let rows = /** @type {any[]} */ ([]);
    let cursor = "";
    do {
      const page = await get("/v1/executions", { ...params, limit: PAGE, cursor }, { signal });
      rows = rows.concat(page.executions);
      cursor = page.next_cursor || "";
    } while (cursor && rows.length < wanted);
    held.current = held.current.by === by ? joined(held.current, rows, cursor) : { by, rows, cursor };
    held.current.by = by;
    return held.current;
  };
  const live = useLive({ by: [by] }, load);
  const more = useCallback(async () => {
    const { rows, cursor } = held.current;
    if (!cursor || busy.current) return;
    busy.current = true;
    try {
      const page = await get("/v1/executions", { ...params, limit: PAGE, cursor });
      if (held.current.rows !== rows) return;
      held.current = { by, rows: rows.concat(page.executions), cursor: page.next_cursor || "" };
      redraw((count) => count + 1);
    } finally {
      busy.current = false;
    }
  }, [by]);
  const { rows, cursor } = held.current.by === by ? held.current : { rows: [], cursor: "" };
  return { ...live, rows, all: !cursor, more };
}

/**
 * New rows from the top, then those that were loaded further down.
 * @param {{by: string, rows: any[], cursor: string}} before
 * @param {any[]} rows
 * @param {string} cursor
 */
function joined(before, rows, cursor) {
  const last = rows.length ? before.rows.findIndex((row) => row.id === rows[rows.length - 1].id) : -1;
  if (!cursor || last < 0 || last === before.rows.length - 1) return { by: before.by, rows, cursor };
  return { by: before.by, rows: rows.concat(before.rows.slice(last + 1)), cursor: before.cursor };
}
