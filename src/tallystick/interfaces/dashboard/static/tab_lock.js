/**
 * A lock between the tabs of a browser: the tab that holds it does something for all. A browser opens at most six
 * connections to an HTTP/1.1 server, so one event stream for each tab would soon leave none to load anything.
 */

const HIDDEN_MILLISECONDS = 5000;
/** A hidden tab releases the lock after this time, in browsers without Web Locks. */

/**
 * @param {string} name of the lock
 * @param {() => void} begin this tab has the lock now
 * @param {() => void} end it has lost the lock
 * @returns {() => void} releases the lock
 */
export function holdLock(name, begin, end) {
  return navigator.locks ? holdWebLock(name, begin) : whileVisible(begin, end);
}

/**
 * @param {string} name
 * @param {() => void} begin
 */
function holdWebLock(name, begin) {
  const abort = new AbortController();
  let done = () => {};
  const turn = () => new Promise((/** @type {(value?: unknown) => void} */ resolve) => ((done = resolve), begin()));
  navigator.locks.request(name, { signal: abort.signal }, turn).catch(() => {}); // released before it was granted
  return () => (abort.abort(), done());
}

/**
 * Web Locks need a secure context, and plain HTTP to another machine is none.
 * @param {() => void} begin
 * @param {() => void} end
 */
function whileVisible(begin, end) {
  /** @type {any} */
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, HIDDEN_MILLISECONDS);
    else begin();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => (clearTimeout(timer), document.removeEventListener("visibilitychange", look));
}
