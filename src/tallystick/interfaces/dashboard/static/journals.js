/** The journals of the store: the one shown, and the others. */

import { get } from "./api.js";
import { useEffect, useState } from "./html.js";
import { journal } from "./router.js";
import { useSession } from "./session.js";

const POLL_MILLISECONDS = 5000;
/** How often new journals are looked for: the event stream reports only entries of the current one. */

/** @returns {{shown: string, others: string[]}} */
export function useJournals() {
  const session = useSession();
  const [all, setAll] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const look = () => document.hidden || get("/v1/journals").then((page) => setAll((before) => (same(before, page.journals) ? before : page.journals)), () => {});
    look();
    const timer = setInterval(look, POLL_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  const shown = journal() || session.journal;
  return { shown, others: all.filter((each) => each !== shown) };
}

/**
 * @param {string[]} one
 * @param {string[]} other
 */
const same = (one, other) => one.length === other.length && one.every((each, index) => each === other[index]);
