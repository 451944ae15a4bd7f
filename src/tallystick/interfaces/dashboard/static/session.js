/** Who looks at the page, and what they may do. */

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
let asked = null;
const listeners = new Set();

/** @returns {Promise<Session>} */
function session() {
  asked ??= fetch("/session", { credentials: "same-origin" })
    .then((answer) => (answer.ok ? answer.json() : NOBODY))
    .catch(() => NOBODY)
    .then((told) => ({ ...NOBODY, ...told }));
  return asked;
}

/** Ask again, after logging in or out. */
export async function refreshSession() {
  asked = null;
  const told = await session();
  for (const listener of listeners) listener(told);
  return told;
}

/** What a request that changes something must carry. */
export const csrf = async () => (await session()).csrf;

/** @returns {Session} */
export function useSession() {
  const [told, set] = useState(NOBODY);
  useEffect(() => {
    listeners.add(set);
    void session().then(set);
    return () => listeners.delete(set);
  }, []);
  return told;
}
