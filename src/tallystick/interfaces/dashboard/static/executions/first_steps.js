/** The page of an empty journal: how to start recording. It disappears with the first entry. */

import { html, useState } from "../html.js";
import { Icon, Mark } from "../icons.js";
import { useJournals } from "../journals.js";
import { useCommands } from "../commands.js";
import { Choice, Copy, Panel } from "../ui/index.js";

const MAX_JOURNALS = 8;
/** Other journals that are named. */

export function FirstSteps() {
  const [client, choose] = useState("");
  const { shown: name, others } = useJournals();
  const { clients: snippets, setup, commandLine } = useCommands();
  const clients = [...new Set(snippets.map((each) => each.client))];
  const shown = snippets.filter((each) => each.client === (client || clients[0]));
  return html`<div class="page first-steps">
    <header class="first-steps-head">
      <${Mark} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${name}</code>…</p>
      ${others.length > 0 &&
      html`<p role="status">Each project has its own journal. Journals with entries:
        ${others.slice(0, MAX_JOURNALS).map((each, index) => html`${index ? ", " : " "}<a href=${`/?journal=${encodeURIComponent(each)}`}>${each}</a>`)}${others.length > MAX_JOURNALS ? ` and ${others.length - MAX_JOURNALS} more` : ""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${Panel} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${Command} text=${setup} />
      </${Panel}>
      <${Panel} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${clients.length > 0 && html`<${Choice} label="Client" value=${client || clients[0]} choices=${clients} onChange=${choose} />`}
        ${shown.map(
          (each) => html`<div class="snippet" key=${each.over + each.where + each.client}>
            <p class="soft">${each.where.replaceAll("`", "")}${each.over === "http" ? ", through this server" : ""}</p>
            <${Command} text=${each.text} />
          </div>`,
        )}
      </${Panel}>
      <${Panel} title="3. Or write the first entry yourself" level=${2}>
        <${Command} text=${commandLine('record execution-start --title "Clean up"')} />
        <p class="soft"><${Icon} name="right" />This page then shows the execution.</p>
      </${Panel}>
    </div>
  </div>`;
}

/** @param {{text: string}} props */
function Command({ text }) {
  return html`<div class="snippet-command"><pre tabindex="0"><code>${text}</code></pre><${Copy} text=${text} what="command" /></div>`;
}
