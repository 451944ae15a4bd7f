/** What happened of late: since the last look, or in a range of time; by agent, and execution by execution. */

import { get } from "../api.js";
import { Row } from "../executions/row.js";
import { html, useEffect, useState } from "../html.js";
import { useLive } from "../live.js";
import { journal, link, setQuery } from "../router.js";
import { timeRange } from "../time_ranges.js";
import { Choice, Empty, Loading, Panel, ProblemNote, Text, clock, span, useNow, useZone } from "../ui/index.js";
import { followLooks, lastLook } from "./last_look.js";

const MAX_ROWS = 12;
const MAX_ALL = 500;
/** Executions that are shown at first, and when somebody asks for all. */
const RANGES = /** @type {[string, string][]} */ ([["look", "Since you last looked"], ["24h", "24 hours"], ["last night", "Last night"], ["7d", "7 days"]]);
const TITLES = /** @type {Record<string, string>} */ ({ look: "Since you last looked", "24h": "The last 24 hours", "last night": "Last night", "7d": "The last 7 days" });
/** Executions that are started and ended change it. */
const KINDS = ["execution_started", "execution_ended", "decision_recorded"];
const ENDS = /** @type {[string, string, string][]} */ ([
  ["failed", "failed", "failed"],
  ["completed", "finished", "ok"],
  ["cancelled", "cancelled", "idle"],
  ["closed", "closed", "idle"],
  ["started", "started", "running"],
]);

/** @param {{range: string, all: boolean}} props the range in the address; empty is since the last look */
export function Activity({ range, all }) {
  const [look, setLook] = useState(() => lastLook(journal()));
  useEffect(() => followLooks(journal(), () => setLook(lastLook(journal()))), []);
  const shown = range || (look ? "look" : "24h");
  const times = shown === "look" ? { since: new Date(look).toISOString() } : timeRange(shown) ?? { since: "24h" };
  const live = useLive({ by: [journal(), shown, look, all], kinds: KINDS }, (signal) => get("/v1/activity", { ...times, limit: all ? MAX_ALL : MAX_ROWS }, { signal }));
  const data = live.data;
  return html`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${TITLES[shown] ?? shown}</h2>
      ${data && html`<${Span} since=${data.since} until=${data.until} />`}
      <div class="page-head-end"><${Choice} label="Range" value=${shown} choices=${RANGES} onChange=${(/** @type {string} */ to) => setQuery({ range: to === "look" ? "" : to, all: "" }, { replace: true })} /></div>
    </header>
    <${ProblemNote} problem=${live.problem} retry=${live.reload} />
    ${data ? html`<${Happened} data=${data} all=${all} />` : !live.problem && html`<${Loading} />`}
  </section>`;
}

/** @param {{since: string, until: string}} props */
function Span({ since, until }) {
  const zone = useZone();
  const now = useNow();
  const open = now - Date.parse(until) < 60_000;
  return html`<p class="soft">${clock(since, zone)} – ${open ? "now" : clock(until, zone)}${open ? ` (${span(now - Date.parse(since), 1)})` : ""}</p>`;
}

/** @param {{data: any, all: boolean}} props */
function Happened({ data, all }) {
  const agents = data.agents ?? [];
  const executions = data.executions ?? [];
  if (!agents.length) return html`<${Panel}><${Empty} icon="check" title="Nothing was started or finished." /><//>`;
  return html`<ul class="home-agents" aria-label="By agent">
      ${agents.map((/** @type {any} */ agent) => html`<li key=${agent.actor}>
        <strong class="cut"><${Text} text=${agent.actor} /></strong>
        <span>${ENDS.filter(([key]) => agent[key]).map(([key, word, tone], at) => html`${at ? ", " : ""}<span class=${`count-${tone}`}>${agent[key]} ${word}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${executions.map((/** @type {any} */ row, /** @type {number} */ index) => html`<${Row} key=${row.id} row=${row} index=${`happened-${index}`} selected=${false} onFocus=${() => {}} />`)}
    </div>
    ${data.more && !all && html`<p class="soft">There are more. <a href=${link(location.pathname + location.search, { all: 1 })}>Show all, those that failed first</a></p>`}
    ${((data.more && all) || data.whole === false) && html`<p class="soft">${data.more ? `These are the first ${executions.length}. ` : "Older executions may have ended in this time. "}<a href=${link("/executions", { q: `since:${data.since} until:${data.until}` })}>Show all executions started in this time</a></p>`}`;
}
