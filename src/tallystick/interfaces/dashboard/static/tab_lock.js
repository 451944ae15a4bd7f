/**
 * One of all pages that a browser has open does something for all of them. A browser has six connections to a server
 * that does not speak HTTP/2: pages that each held one for themselves would soon leave none to load anything by.
 */

const QUIET = 5000;
/** Milliseconds after which a page that is not seen lets go, where pages cannot agree. */

/**
 * @param {string} name of what is done
 * @param {() => void} begin it is this page's turn
 * @param {() => void} end it is over
 * @returns {() => void} lets another page have it
 */
export function alone(name, begin, end) {
  return navigator.locks ? agreed(name, begin) : whileSeen(begin, end);
}

/**
 * @param {string} name
 * @param {() => void} begin
 */
function agreed(name, begin) {
  const abort = new AbortController();
  let done = () => {};
  const turn = () => new Promise((/** @type {(value?: unknown) => void} */ resolve) => ((done = resolve), begin()));
  navigator.locks.request(name, { signal: abort.signal }, turn).catch(() => {}); // somebody let go before it came
  return () => (abort.abort(), done());
}

/**
 * Browsers let pages agree in a secure context only, and plain HTTP to another machine is none.
 * @param {() => void} begin
 * @param {() => void} end
 */
function whileSeen(begin, end) {
  /** @type {any} */
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, QUIET);
    else begin();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => (clearTimeout(timer), document.removeEventListener("visibilitychange", look));
}
