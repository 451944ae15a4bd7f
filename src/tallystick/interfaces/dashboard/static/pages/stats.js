/** The page Stats: figures about executions, day by day. */

import { get } from "../api.js";
import { BarCard, FigureCard } from "../charts/card.js";
import { boundOf, coverageRows, failureRows, figures, wholeTable } from "../charts/figures.js";
import { csv } from "../csv.js";
import { download } from "../exports/download.js";
import { html, useMemo } from "../html.js";
import { useLive } from "../live.js";
import { setQuery } from "../router.js";
import { Button, Choice, Empty, Loading, Panel, ProblemNote } from "../ui/index.js";

const SPANS = /** @type {[string, string][]} */ ([["7", "7 days"], ["30", "30 days"], ["90", "90 days"]]);
const FILTERS = /** @type {[string, string][]} */ ([["task_id", "Task"], ["actor", "Agent"], ["client", "Client"]]);
const KINDS = ["execution_", "approval_decided"];
/** The figures are loaded again when an execution starts or ends; other entries hardly change them. */

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const days = query.get("days") || "30";
  const filters = Object.fromEntries(FILTERS.map(([name]) => [name, query.get(name) || ""]));
  const { data, problem, reload } = useLive({ by: [days, ...Object.values(filters)], kinds: KINDS }, (signal) => get("/v1/series", { days, ...filters }, { signal }));
  const all = useMemo(() => figures(data?.days ?? []), [data]);
  const empty = data && !data.days.some((/** @type {any} */ day) => day.started);
  const save = () => {
    const { header, rows } = wholeTable(all);
    download(`tallystick-stats-${days}-days.csv`, csv(header, rows), "text/csv");
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
        ? html`<${Panel}><${Empty} icon="stats" title="Nothing was started in these days."><p>Choose a longer span, or fewer filters.</p><//><//>`
        : html`<div class="figures">
            ${all.map((figure) => html`<${FigureCard} key=${figure.id} figure=${figure} />`)}
            <${BarCard} id="failures" title="Failures by tool" about="actions that ended with failed" rows=${failureRows(data.failures)} none="No tool failed." />
            <${BarCard} id="coverage" title="Coverage by client" about="calls that a hook, a gateway or an adapter saw; the others were only claimed" rows=${coverageRows(data.coverage)} none="No call was recorded." />
          </div>
          <p class="soft">${boundOf(data)} Days are in UTC.</p>`}
  </div>`;
}

/** @param {{name: string, word: string, value: string}} props */
function Filter({ name, word, value }) {
  return html`<label class="inline-field"><span>${word}</span>
    <input type="text" size="12" value=${value} placeholder="all" spellcheck="false" onChange=${(/** @type {any} */ event) => setQuery({ [name]: event.target.value.trim() })} /></label>`;
}
