/** The page of a journal in which nothing was recorded yet: it teaches how to begin, and is gone with the first entry. */

import { get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { Icon, Mark } from "../icons.js";
import { useJournals } from "../journals.js";
import { Choice, Copy, Panel } from "../ui/index.js";

/** @typedef {{client: string, page: string, over: "stdio" | "http", where: string, language: string, text: string}} Snippet */
/** @typedef {{clients: Snippet[], command: string, store: string}} Told how this server's own command is typed, and for which store */

const MOST = 8;
/** So many other journals are named. */
const UNTOLD = /** @type {Told} */ ({ clients: [], command: "tallystick", store: "" });

export function Teach() {
  const [told, tell] = useState(UNTOLD);
  const [client, choose] = useState("");
  const { shown: name, others } = useJournals();
  useEffect(() => {
    get("/clients").then(tell, () => {});
  }, []);
  const clients = [...new Set(told.clients.map((each) => each.client))];
  const shown = told.clients.filter((each) => each.client === (client || clients[0]));
  const setup = `${told.store ? `TALLYSTICK_URL=${quoted(told.store)} ` : ""}${quoted(told.command)} setup`;
  const record = `${quoted(told.command)} record execution-start --title "Clean up"${told.store ? ` --url ${quoted(told.store)}` : ""} --journal ${quoted(name)}`;
  return html`<div class="page teach">
    <header class="teach-head">
      <${Mark} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">What an agent plans, does, decides and still owes appears here the moment it is written down. This page is
        watching; it needs no reload.</p>
      <p class="teach-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${name}</code>…</p>
      ${others.length > 0 &&
      html`<p role="status">Each project has a journal of its own. There is something in
        ${others.slice(0, MOST).map((each, place) => html`${place ? ", " : " "}<a href=${`/?journal=${encodeURIComponent(each)}`}>${each}</a>`)}${others.length > MOST ? ` and ${others.length - MOST} more` : ""}.</p>`}
    </header>
    <div class="teach-ways">
      <${Panel} title="1. Have every call recorded" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It says what it changes,
        and <code>setup --remove</code> takes it back.</p>
        <${Command} text=${setup} />
      </${Panel}>
      <${Panel} title="2. Give the agent the journal's tools" level=${2}>
        <p>Then the agent can plan, decide and read back what the last one left.</p>
        ${clients.length > 0 && html`<${Choice} label="Client" value=${client || clients[0]} choices=${clients} onChange=${choose} />`}
        ${shown.map(
          (each) => html`<div class="snippet" key=${each.over + each.where + each.client}>
            <p class="soft">${each.where.replaceAll("`", "")}${each.over === "http" ? ", through this server" : ""}</p>
            <${Command} text=${each.text} />
          </div>`,
        )}
      </${Panel}>
      <${Panel} title="3. Or write the first entry yourself" level=${2}>
        <${Command} text=${record} />
        <p class="soft"><${Icon} name="right" />This page turns into it at once.</p>
      </${Panel}>
    </div>
  </div>`;
}

/**
 * As a shell takes it for one word.
 * @param {string} word
 */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

/** @param {{text: string}} props */
function Command({ text }) {
  return html`<div class="snippet-command"><pre tabindex="0"><code>${text}</code></pre><${Copy} text=${text} what="command" /></div>`;
}
