/** Loads the rows of the list page by page while scrolling, and again when they change. */

import { get } from "../api.js";
import { useCallback, useRef, useState } from "../html.js";
import { useLive } from "../live.js";

const PAGE = 100;
const CURRENT = 300;
/** Rows from the top that are loaded again after a new entry; rows further down stay as they were loaded. */

/**
 * @param {Record<string, unknown>} params
 * @param {string} by
 */
export function useRows(params, by) {
  const loaded = useRef(/** @type {{by: string, rows: any[], cursor: string}} */ ({ by, rows: [], cursor: "" }));
  const [, redraw] = useState(0);
  const busy = useRef(false);
  const load = async (/** @type {AbortSignal} */ signal) => {
    const wanted = loaded.current.by === by ? Math.min(Math.max(loaded.current.rows.length, PAGE), CURRENT) : PAGE;
    let rows = /** @type {any[]} */ ([]);
    let cursor = "";
    do {
      const page = await get("/v1/executions", { ...params, limit: PAGE, cursor }, { signal });
      rows = rows.concat(page.executions);
      cursor = page.next_cursor || "";
    } while (cursor && rows.length < wanted);
    loaded.current = loaded.current.by === by ? joined(loaded.current, rows, cursor) : { by, rows, cursor };
    loaded.current.by = by;
    return loaded.current;
  };
  const live = useLive({ by: [by] }, load);
  const more = useCallback(async () => {
    const { rows, cursor } = loaded.current;
    if (!cursor || busy.current) return;
    busy.current = true;
    try {
      const page = await get("/v1/executions", { ...params, limit: PAGE, cursor });
      if (loaded.current.rows !== rows) return;
      loaded.current = { by, rows: rows.concat(page.executions), cursor: page.next_cursor || "" };
      redraw((count) => count + 1);
    } finally {
      busy.current = false;
    }
  }, [by]);
  const { rows, cursor } = loaded.current.by === by ? loaded.current : { rows: [], cursor: "" };
  return { ...live, rows, all: !cursor, more };
}

/**
 * Join new rows at the top with the rows loaded further down.
 * @param {{by: string, rows: any[], cursor: string}} before
 * @param {any[]} rows
 * @param {string} cursor
 */
function joined(before, rows, cursor) {
  const last = rows.length ? before.rows.findIndex((row) => row.id === rows[rows.length - 1].id) : -1;
  if (!cursor || last < 0 || last === before.rows.length - 1) return { by: before.by, rows, cursor };
  return { by: before.by, rows: rows.concat(before.rows.slice(last + 1)), cursor: before.cursor };
}
