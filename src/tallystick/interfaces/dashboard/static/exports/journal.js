/** The whole journal as JSON lines, exactly as it is kept: what `tallystick export` writes, and what can be imported. */

import { get } from "../api.js";
import { download } from "./download.js";

const PAGE = 2000;

/**
 * Reads all of it and hands it over as a file.
 * @param {string} name of the journal
 * @param {(entries: number) => void} tell how many have been read
 */
export async function downloadJournal(name, tell) {
  /** @type {string[]} */
  const parts = [];
  let after = 0;
  for (let more = true; more; ) {
    const page = await get("/v1/export", { after, limit: PAGE });
    parts.push(...page.lines.map((/** @type {string} */ line) => `${line.trimEnd()}\n`));
    ({ last_seq: after, more } = page);
    tell(after);
  }
  download(`${name}.jsonl`, parts, "application/x-ndjson");
}
