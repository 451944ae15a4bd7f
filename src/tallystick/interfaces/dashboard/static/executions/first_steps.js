/** The page of a journal in which nothing was recorded yet: it teaches how to begin, and is gone with the first entry. */

import { html, useState } from "../html.js";
import { Icon, Mark } from "../icons.js";
import { useJournals } from "../journals.js";
import { useTyped } from "../commands.js";
import { Choice, Copy, Panel } from "../ui/index.js";

const MOST = 8;
/** So many other journals are named. */

export function Teach() {
  const [client, choose] = useState("");
  const { shown: name, others } = useJournals();
  const { clients: told, setup, typed } = useTyped();
  const clients = [...new Set(told.map((each) => each.client))];
  const shown = told.filter((each) => each.client === (client || clients[0]));
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
        <${Command} text=${typed('record execution-start --title "Clean up"')} />
        <p class="soft"><${Icon} name="right" />This page turns into it at once.</p>
      </${Panel}>
    </div>
  </div>`;
}

/** @param {{text: string}} props */
function Command({ text }) {
  return html`<div class="snippet-command"><pre tabindex="0"><code>${text}</code></pre><${Copy} text=${text} what="command" /></div>`;
}
