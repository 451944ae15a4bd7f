/** The page Stats: figures about executions over time, and by agent, tool and error. */

import { get } from "../api.js";
import { BarCard, FigureCard, SideBySideCard } from "../charts/card.js";
import { agentTable, boundOf, coverageRows, errorRows, estimateRows, failureRows, figures, toolTable, wholeTable } from "../charts/figures.js";
import { csv } from "../csv.js";
import { download } from "../exports/download.js";
import { html, useMemo } from "../html.js";
import { useLive } from "../live.js";
import { setQuery } from "../router.js";
import { useSetting } from "../settings.js";
import { Button, Choice, Empty, Loading, Panel, ProblemNote, clock } from "../ui/index.js";

const SPANS = /** @type {[string, string][]} */ ([["", "All"], ["1", "Today"], ["7", "7 days"], ["30", "30 days"], ["90", "90 days"]]);
const FILTERS = /** @type {[string, string][]} */ ([["task_id", "Task"], ["actor", "Agent"], ["client", "Client"]]);
const KINDS = ["execution_", "approval_decided"];
/** The figures are loaded again when an execution starts or ends; other entries hardly change them. */

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const days = query.get("days") || "";
  const by = days === "1" ? "hour" : "";
  const filters = Object.fromEntries(FILTERS.map(([name]) => [name, query.get(name) || ""]));
  const { data, problem, reload } = useLive({ by: [days, ...Object.values(filters)], kinds: KINDS }, (signal) => get("/v1/series", { days, by, ...filters }, { signal }));
  const all = useMemo(() => figures(data?.days ?? [], data?.durations), [data]);
  const empty = data && !data.days.some((/** @type {any} */ day) => day.started);
  const zone = useSetting("zone");
  const written = (/** @type {string} */ at) => clock(at, zone);
  const since = data?.detail_from ? `; only what was done since ${written(data.detail_from)}` : "";
  const save = () => {
    const { header, rows } = wholeTable(all);
    download(`tallystick-stats-${days ? `${days}-days` : "all"}.csv`, csv(header, rows), "text/csv");
  };
  return html`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${Choice} label="Days" value=${days} choices=${SPANS} onChange=${(/** @type {string} */ value) => setQuery({ days: value })} />
      ${FILTERS.map(([name, word]) => html`<${Filter} key=${name} name=${name} word=${word} value=${filters[name]} />`)}
      <div class="page-head-end"><${Button} icon="export" disabled=${!data} onClick=${save}>Export as CSV<//></div>
    </div>
    <${ProblemNote} problem=${problem} retry=${reload} />
    ${!data
      ? !problem && html`<${Loading} />`
      : empty
        ? html`<${Panel}><${Empty} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`
        : html`<div class="figures">
            ${all.map((figure) => html`<${FigureCard} key=${figure.id} figure=${figure} />`)}
            <${BarCard} id="failures" title="Failures by tool" about=${`actions that ended with failed, of the calls of the tool${since}`} rows=${failureRows(data.failures, data.tools)} none="No tool failed." />
            <${BarCard} id="errors" title="Failures by kind of error" about=${`estimated from the texts of the newest failures${since}`} rows=${errorRows(data.errors)} none="Nothing failed." />
            <${BarCard} id="estimates" title="Estimate against actual, by tool" about=${`steps that had an estimate and succeeded: how many times as long they took${since}`} rows=${estimateRows(data.tools)} none="No step with an estimate succeeded." />
            <${BarCard} id="coverage" title="Coverage by client" about=${`calls that a hook, a gateway or an adapter saw; the others were only claimed${since}`} rows=${coverageRows(data.coverage)} none="No call was recorded." />
            <${SideBySideCard} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${agentTable(data.agents)} none="No agent started anything." />
            <${SideBySideCard} id="tools" title="Durations by tool" about=${`of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95${since}`} data=${toolTable(data.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${boundOf(data, written)}${data.by === "day" ? " Days are in UTC." : ""}</p>`}
  </div>`;
}

/** @param {{name: string, word: string, value: string}} props */
function Filter({ name, word, value }) {
  return html`<label class="inline-field"><span>${word}</span>
    <input type="text" size="12" value=${value} placeholder="all" spellcheck="false" onChange=${(/** @type {any} */ event) => setQuery({ [name]: event.target.value.trim() })} /></label>`;
}
