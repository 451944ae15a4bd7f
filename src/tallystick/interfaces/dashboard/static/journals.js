/** The journals of the store: that which is shown, and the others in which something is recorded. */

import { get } from "./api.js";
import { useEffect, useState } from "./html.js";
import { journal } from "./router.js";
import { useSession } from "./session.js";

const LOOK = 5000;
/** Milliseconds between two looks for new ones: entries of another journal are no news of this one. */

/** @returns {{shown: string, others: string[]}} */
export function useJournals() {
  const session = useSession();
  const [all, setAll] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const look = () => document.hidden || get("/v1/journals").then((told) => setAll((before) => (same(before, told.journals) ? before : told.journals)), () => {});
    look();
    const timer = setInterval(look, LOOK);
    return () => clearInterval(timer);
  }, []);
  const shown = journal() || session.journal;
  return { shown, others: all.filter((each) => each !== shown) };
}

/**
 * @param {string[]} one
 * @param {string[]} other
 */
const same = (one, other) => one.length === other.length && one.every((each, place) => each === other[place]);
