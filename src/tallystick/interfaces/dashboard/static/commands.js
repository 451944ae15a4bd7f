/** Commands of ours as they are typed here: by the whole path, for the store and the journal that are shown. */

import { get } from "./api.js";
import { useEffect, useState } from "./html.js";
import { useJournals } from "./journals.js";

/** @typedef {{client: string, page: string, over: "stdio" | "http", where: string, language: string, text: string}} Snippet */
/** @typedef {{clients: Snippet[], command: string, store: string}} Told how the server's own command is typed, and which store it needs to be told */

const UNTOLD = /** @type {Told} */ ({ clients: [], command: "tallystick", store: "" });
/** @type {Promise<Told> | null} */
let asked = null;

/** @returns {{clients: Snippet[], setup: string, typed: (words: string) => string}} `typed` adds what leads to this journal */
export function useTyped() {
  const [told, tell] = useState(UNTOLD);
  const { shown } = useJournals();
  useEffect(() => {
    asked ||= get("/clients");
    asked.then(tell, () => (asked = null));
  }, []);
  const command = quoted(told.command);
  const store = told.store ? ` --url ${quoted(told.store)}` : "";
  return {
    clients: told.clients,
    setup: `${told.store ? `TALLYSTICK_URL=${quoted(told.store)} ` : ""}${command} setup`,
    typed: (words) => `${command} ${words}${store} --journal ${quoted(shown)}`,
  };
}

/**
 * As a shell takes it for one word.
 * @param {string} word
 */
export const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);
