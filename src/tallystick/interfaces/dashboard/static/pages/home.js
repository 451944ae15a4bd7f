/** The page that opens: what needs a person, on what somebody works, and what happened of late. */

import { get } from "../api.js";
import { FirstSteps } from "../executions/first_steps.js";
import { Row } from "../executions/row.js";
import { Activity } from "../home/activity.js";
import { Needs, counted } from "../home/needs.js";
import { Watch } from "../home/watch.js";
import { html, useEffect } from "../html.js";
import { Icon } from "../icons.js";
import { total, useInbox } from "../inbox.js";
import { useLive } from "../live.js";
import { isImport, journal, link, navigate } from "../router.js";
import { Loading, ProblemNote } from "../ui/index.js";

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const { data, problem, reload } = useInbox();
  const newest = useLive({ by: [journal()], kinds: ["execution_started"] }, (signal) => get("/v1/executions", { limit: 1 }, { signal }));
  const moved = query.has("q") || query.has("group") || isImport();
  useEffect(() => {
    if (moved) navigate(link("/executions", query), { replace: true });
  }, [moved]);
  if (moved) return null;
  if (newest.data && !newest.data.executions.length) return html`<${FirstSteps} />`;
  if (!data || !newest.data) return html`<div class="page"><h1 class="visually-hidden">Home</h1>${problem ? html`<${ProblemNote} problem=${problem} retry=${reload} />` : html`<${Loading} />`}</div>`;
  const waiting = total(data);
  return html`<div class="page home">
    <header class="page-head">
      <h1>${waiting ? "Needs you" : "Nothing needs you"}</h1>
      ${waiting > 0 && html`<p class="home-counts soft">${countsOf(data.counts)}</p>`}
    </header>
    <${ProblemNote} problem=${problem} retry=${reload} />
    ${waiting
      ? html`<${Needs} items=${data.items} />`
      : html`<p class="home-calm"><${Icon} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(data.items.length < waiting || data.more.length > 0) && html`<p class="soft">There are more: look at <a href=${link("/executions")}>all executions</a>.</p>`}
    <${Working} rows=${data.working} count=${data.working_count} />
    <${Watch} />
    <${Activity} range=${query.get("range") || ""} all=${query.has("all")} />
  </div>`;
}

/** @param {Record<string, number>} counts */
const countsOf = (counts) => Object.entries(counts).map(([need, count]) => counted(need, count)).join(" · ");

/** @param {{rows: any[], count: number}} props */
function Working({ rows, count }) {
  return html`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${count ? "Running now" : "Nothing is running"}</h2>
      ${count > 0 && html`<p class="soft">${count} ${count === 1 ? "execution" : "executions"}</p>`}
      <div class="page-head-end"><a href=${link("/executions")}>All executions</a></div>
    </header>
    ${count > 0 && html`<div class="panel home-rows" role="list" aria-label="Running now">
      ${rows.map((row, index) => html`<${Row} key=${row.id} row=${row} index=${`working-${index}`} selected=${false} onFocus=${() => {}} />`)}
    </div>`}
    ${count > rows.length && html`<p class="soft"><a href=${link("/executions", { q: "only:working" })}>Show all that are running</a></p>`}
  </section>`;
}
