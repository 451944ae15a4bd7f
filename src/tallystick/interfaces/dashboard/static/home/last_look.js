/** When this browser last looked at the home page, for each journal. */

const AWAY_MILLISECONDS = 10 * 60_000;
/** After this time away, the next look is another one. */
const NOTED_MILLISECONDS = 60_000;

/** @typedef {{since: number, until: number}} Look `since` is the end of the look before, `until` when this one was noted last */

/** @param {string} journal @returns {Look | null} */
function read(journal) {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(journal)) || "null");
    return Number.isFinite(found?.since) && Number.isFinite(found?.until) ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} journal */
const keyOf = (journal) => `tallystick.looked.${journal}`;

/**
 * The end of the look before this one, in milliseconds; 0 for the first look. It is noted that the page is looked at.
 * @param {string} journal
 */
export function lastLook(journal) {
  const now = Date.now();
  const before = read(journal);
  const since = !before ? 0 : now - before.until < AWAY_MILLISECONDS ? before.since : before.until;
  localStorage.setItem(keyOf(journal), JSON.stringify({ since, until: now }));
  return since;
}

/**
 * Note from time to time that the page is looked at, and call `onReturn` when somebody comes back to it.
 * @param {string} journal
 * @param {() => void} onReturn
 */
export function followLooks(journal, onReturn) {
  const note = () => document.hidden || lastLook(journal);
  const seen = () => !document.hidden && onReturn();
  const timer = setInterval(note, NOTED_MILLISECONDS);
  document.addEventListener("visibilitychange", seen);
  return () => (clearInterval(timer), document.removeEventListener("visibilitychange", seen));
}
