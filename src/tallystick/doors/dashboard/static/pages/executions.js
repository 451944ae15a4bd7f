/** All executions of the journal, live. */

import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { Loading, Panel, ProblemNote, Status, Table, Tally, Time } from "../ui/index.js";

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const { data, problem, reload } = useLive({ by: [query.toString()] }, (signal) => get("/v1/executions", {}, { signal }));
  return html`<div class="page">
    <div class="page-head"><h1>Executions</h1></div>
    <${ProblemNote} problem=${problem} retry=${reload} />
    ${!data
      ? html`<${Loading} />`
      : html`<${Panel} flush>
          <${Table}
            label="Executions"
            rows=${data.executions}
            id=${(/** @type {any} */ row) => row.id}
            columns=${[
              { title: "state", cell: (/** @type {any} */ row) => html`<${Status} state=${row.status} />` },
              { title: "title", cell: (/** @type {any} */ row) => html`<a href=${link(`/x/${row.id}`)}>${row.title || row.id}</a>` },
              { title: "plan", cell: (/** @type {any} */ row) => html`<${Tally} done=${row.done_steps} total=${row.total_steps} />` },
              { title: "last", cell: (/** @type {any} */ row) => html`<${Time} at=${row.last} />` },
            ]}
          />
        </${Panel}>`}
  </div>`;
}
