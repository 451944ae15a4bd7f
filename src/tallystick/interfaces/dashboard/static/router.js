/** The address of the page. It is the state, so that every view can be linked to. */

import { useEffect, useState } from "./html.js";
import { describePlace, restorePlace } from "./place_memory.js";

/**
 * @typedef {object} Place
 * @property {string} path
 * @property {URLSearchParams} query
 */

const KEPT = "journal";
/** The parameter that stays in every address: the chosen journal. */

const listeners = new Set();
let place = here();
/** @type {Map<string, import("./place_memory.js").PagePlace>} */
const left = new Map();
/** How each page of the history was left, by its key. */
let key = history.state?.key ?? "";

/** @returns {Place} */
function here() {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

function notify() {
  place = here();
  for (const listener of listeners) listener(place);
}

/** The current address. A component that uses it is redrawn when it changes. */
export function useRoute() {
  const [now, set] = useState(place);
  useEffect(() => {
    listeners.add(set);
    set(place);
    return () => listeners.delete(set);
  }, []);
  return now;
}

/** @returns {Place} */
export const current = () => place;

/** The journal in the address; empty for the default one of the server. */
export const journal = () => place.query.get(KEPT) || "";

/** Whether the journal is an uploaded export: nothing can be recorded in it. */
export const isImport = () => journal().startsWith("import-");

/**
 * An address of the page. Empty parameters are left out.
 * @param {string} path
 * @param {Record<string, unknown> | URLSearchParams} [params]
 */
export function link(path, params = {}) {
  const [plain, given] = path.split("?");
  const query = new URLSearchParams(given);
  const pairs = params instanceof URLSearchParams ? [...params] : Object.entries(params);
  for (const [name, value] of pairs) {
    if (value === "" || value === null || value === undefined || value === false) query.delete(name);
    else query.set(name, String(value));
  }
  if (journal() && !query.has(KEPT)) query.set(KEPT, journal());
  const text = readable(query);
  return text ? `${plain}?${text}` : plain;
}

/**
 * A query as a person would write it: colons, commas and slashes need no escape there.
 * @param {URLSearchParams} query
 */
function readable(query) {
  return query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");
}

/**
 * Go to an address of the page.
 * @param {string} address
 * @param {{replace?: boolean}} [how]
 */
export function navigate(address, { replace = false } = {}) {
  const target = link(address);
  if (target === location.pathname + location.search) return;
  const moved = target.split("?")[0] !== location.pathname;
  if (!replace) {
    left.set(key, describePlace());
    key = String(Math.random());
  }
  history[replace ? "replaceState" : "pushState"]({ key }, "", target);
  notify();
  if (moved) window.scrollTo(0, 0);
}

/**
 * Change some parameters of the current address.
 * @param {Record<string, unknown>} params
 * @param {{replace?: boolean}} [how]
 */
export function setQuery(params, how) {
  navigate(link(place.path + location.search, params), how);
}

/**
 * The parameters of a path that matches a pattern such as `/x/:id`; null if it does not match.
 * @param {string} pattern
 * @param {string} path
 * @returns {Record<string, string> | null}
 */
export function match(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  if (wanted.length !== given.length) return null;
  /** @type {Record<string, string>} */
  const found = {};
  for (let place = 0; place < wanted.length; place += 1) {
    if (wanted[place].startsWith(":")) found[wanted[place].slice(1)] = decoded(given[place]);
    else if (wanted[place] !== given[place]) return null;
  }
  return found;
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {PopStateEvent} event */
function goBack(event) {
  left.set(key, describePlace());
  key = event.state?.key ?? "";
  notify();
  const before = left.get(key);
  if (before) restorePlace(before);
}

/** Start to listen for links; only the page does it, not an element embedded in another page. */
export function startRouting() {
  window.addEventListener("popstate", goBack);
  document.addEventListener("click", followLink);
}

/**
 * Follow links of the page without a reload. The browser follows others, and those clicked with a modifier key.
 * @param {MouseEvent} event
 */
function followLink(event) {
  const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(anchor instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (anchor.target || anchor.hasAttribute("download") || anchor.dataset.native !== undefined) return;
  const target = new URL(anchor.href);
  if (target.origin !== location.origin || target.hash || target.pathname === "/logout") return;
  event.preventDefault();
  navigate(target.pathname + target.search);
}
