/** Command lines to copy: with the full path of the program, the store and the current journal. */

import { get } from "./api.js";
import { useEffect, useState } from "./html.js";
import { useJournals } from "./journals.js";

/** @typedef {{client: string, page: string, over: "stdio" | "http", where: string, language: string, text: string}} Snippet */
/** @typedef {{clients: Snippet[], command: string, store: string}} CommandInfo the path of the program, and the store if it is not the default */

const DEFAULTS = /** @type {CommandInfo} */ ({ clients: [], command: "tallystick", store: "" });
/** @type {Promise<CommandInfo> | null} */
let request = null;

/** @returns {{clients: Snippet[], setup: string, commandLine: (words: string) => string}} `commandLine` adds store and journal to a command */
export function useCommands() {
  const [info, setInfo] = useState(DEFAULTS);
  const { shown } = useJournals();
  useEffect(() => {
    request ||= get("/clients");
    request.then(setInfo, () => (request = null));
  }, []);
  const command = quoted(info.command);
  const store = info.store ? ` --url ${quoted(info.store)}` : "";
  return {
    clients: info.clients,
    setup: `${info.store ? `TALLYSTICK_URL=${quoted(info.store)} ` : ""}${command} setup`,
    commandLine: (words) => `${command} ${words}${store} --journal ${quoted(shown)}`,
  };
}

/**
 * A word quoted for a shell.
 * @param {string} word
 */
export const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);
