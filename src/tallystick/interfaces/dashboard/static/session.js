/** The person who uses the page, and their permissions. */

import { useEffect, useState } from "./html.js";

/**
 * @typedef {object} Session
 * @property {boolean} person
 * @property {string} name
 * @property {string} journal
 * @property {string[]} scopes
 * @property {string} csrf
 * @property {boolean} may_decide
 * @property {string} version
 * @property {boolean} needs_login
 */

/** @type {Session} */
const NOBODY = {
  person: false, name: "", journal: "", scopes: [], csrf: "", may_decide: false, version: "", needs_login: false,
};

/** @type {Promise<Session> | null} */
let request = null;
const listeners = new Set();

/** @returns {Promise<Session>} */
function session() {
  request ??= fetch("/session", { credentials: "same-origin" })
    .then((answer) => (answer.ok ? answer.json() : NOBODY))
    .catch(() => NOBODY)
    .then((loaded) => ({ ...NOBODY, ...loaded }));
  return request;
}

/** Load it again, after login or logout. */
export async function refreshSession() {
  request = null;
  const loaded = await session();
  for (const listener of listeners) listener(loaded);
  return loaded;
}

/** The token that every POST request must carry. */
export const csrf = async () => (await session()).csrf;

/** @returns {Session} */
export function useSession() {
  const [loaded, set] = useState(NOBODY);
  useEffect(() => {
    listeners.add(set);
    void session().then(set);
    return () => listeners.delete(set);
  }, []);
  return loaded;
}
