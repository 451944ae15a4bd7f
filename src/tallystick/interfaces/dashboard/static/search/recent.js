/** The places that were opened last in this browser, for each journal. */

import { journal } from "../router.js";

const MAX_PLACES = 8;

/** @typedef {{path: string, title: string}} RecentPlace */

const keyOf = () => `tallystick.recent.${journal()}`;

/** @returns {RecentPlace[]} */
export function recentPlaces() {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf()) || "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each?.path === "string" && each.path.startsWith("/") && !each.path.startsWith("//") && typeof each.title === "string") : [];
  } catch {
    return [];
  }
}

/** Note that the page at this address is shown. @param {string} title */
export function notePlace(title) {
  const path = location.pathname;
  const others = recentPlaces().filter((each) => each.path !== path);
  localStorage.setItem(keyOf(), JSON.stringify([{ path, title }, ...others].slice(0, MAX_PLACES)));
}
