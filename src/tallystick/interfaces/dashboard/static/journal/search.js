/** Full-text search in the journal of an execution. The server searches all entries, so the count is exact. */

import { get } from "../api.js";
import { useEffect, useState } from "../html.js";

const WORD = /[\p{L}\p{N}]/u;
/** A search needs at least one of these characters. */
const MOST = 5000;
/** Matches are counted up to this; a "+" marks more. */

/**
 * @param {string} execution
 * @param {string} text
 * @param {number} entries how many there are: more ask again
 * @returns {{seqs: number[], done: boolean, more: boolean, problem: Error | null}}
 */
export function useMatches(execution, text, entries) {
  const [found, set] = useState(/** @type {any} */ ({ seqs: [], done: true, more: false, problem: null }));
  useEffect(() => {
    const abort = new AbortController();
    const look = async () => {
      /** @type {number[]} */
      let seqs = [];
      let after = 0;
      let more = true;
      while (more && seqs.length < MOST) {
        const page = await get("/v1/entries", { execution_id: execution, text, after, limit: 1000 }, { signal: abort.signal });
        seqs = seqs.concat(page.entries.map((/** @type {any} */ entry) => entry.seq));
        if (page.last_seq <= after) break;
        after = page.last_seq;
        more = page.more;
      }
      set({ seqs, done: true, more, problem: null });
    };
    if (!WORD.test(text)) set({ seqs: [], done: true, more: false, problem: null });
    else {
      set((/** @type {any} */ before) => ({ ...before, done: false }));
      look().catch((problem) => problem.name !== "AbortError" && set({ seqs: [], done: true, more: false, problem }));
    }
    return () => abort.abort();
  }, [execution, text, entries]);
  return found;
}

/**
 * Split a text into pieces that match a word of the search, and pieces between them.
 * @param {string} text
 * @param {string} search
 * @returns {{text: string, hit: boolean}[]}
 */
export function pieces(text, search) {
  const words = search.split(/\s+/).map((word) => word.replace(/[^\p{L}\p{N}_-]/gu, "")).filter((word) => word.length > 1);
  if (!words.length) return [{ text, hit: false }];
  const pattern = new RegExp(`(${words.join("|")})`, "giu");
  return text.split(pattern).filter(Boolean).map((part) => ({ text: part, hit: words.some((word) => word.toLowerCase() === part.toLowerCase()) }));
}
