/** Downloads the whole journal as JSON lines, the same as `tallystick export` writes. */

import { get } from "../api.js";
import { download } from "./download.js";

const PAGE = 2000;

/**
 * Load all entries and download them as a file.
 * @param {string} name of the journal
 * @param {(entries: number) => void} onProgress how many have been read
 */
export async function downloadJournal(name, onProgress) {
  /** @type {string[]} */
  const parts = [];
  let after = 0;
  for (let more = true; more; ) {
    const page = await get("/v1/export", { after, limit: PAGE });
    parts.push(...page.lines.map((/** @type {string} */ line) => `${line.trimEnd()}\n`));
    ({ last_seq: after, more } = page);
    onProgress(after);
  }
  download(`${name}.jsonl`, parts, "application/x-ndjson");
}
