/** A card with one figure: title, headline, chart, and on demand the table of its values. */

import { csv } from "../csv.js";
import { download } from "../exports/download.js";
import { html, names, useState } from "../html.js";
import { Button, Panel, Text, visibleText } from "../ui/index.js";
import { useZone } from "../ui/time.js";
import { dateText, isHour, table, written } from "./figures.js";
import { Plot } from "./plot.js";

/** @param {{figure: import("./figures.js").Figure}} props */
export function FigureCard({ figure }) {
  const [rows, showRows] = useState(false);
  const tools = html`
    <${Button} kind="ghost" icon="table" pressed=${rows} label=${`${figure.title} as a table`} onClick=${() => showRows(!rows)} />
    <${Button} kind="ghost" icon="export" label=${`${figure.title} as CSV`} onClick=${() => save(figure)} />`;
  return html`<${Panel} class="figure" title=${figure.title} actions=${tools} data-testid=${`figure-${figure.id}`}>
    <p class="figure-number num">${figure.headline}</p>
    <p class="figure-about soft">${figure.about}</p>
    ${rows ? html`<${FigureTable} figure=${figure} />` : html`<${Plot} figure=${figure} />`}
  <//>`;
}

/** @param {import("./figures.js").Figure} figure */
function save(figure) {
  const { header, rows } = table(figure);
  download(`tallystick-${figure.id}.csv`, csv(header, rows), "text/csv");
}

/** @param {{figure: import("./figures.js").Figure}} props */
function FigureTable({ figure }) {
  const zone = useZone();
  return html`<div class="figure-table" role="region" aria-label=${`${figure.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${isHour(figure.days[0]) ? "hour" : "day"}</th>${figure.series.map((series) => html`<th scope="col" class="right">${series.name}</th>`)}</tr></thead>
      <tbody>${figure.days.map((day, at) => html`<tr key=${day}><th scope="row">${dateText(day, zone)}</th>${figure.series.map((series) => html`<td class="right num">${written(series.values[at], figure.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`;
}

/**
 * Counts by name, as a table whose bars are beside the numbers.
 * @param {{title: string, about: string, rows: {name: string, value: number, text: string, tone: string}[], none: string, id: string}} props
 */
export function BarCard({ title, about, rows, none, id }) {
  const highest = Math.max(1, ...rows.map((row) => row.value));
  const tools = html`<${Button} kind="ghost" icon="export" label=${`${title} as CSV`}
    onClick=${() => download(`tallystick-${id}.csv`, csv(["name", "value", "text"], rows.map((row) => [row.name, row.value, row.text])), "text/csv")} />`;
  return html`<${Panel} class="figure" title=${title} actions=${tools} data-testid=${`figure-${id}`}>
    <p class="figure-about soft">${about}</p>
    ${rows.length
      ? html`<table class="figure-bars"><tbody>${rows.map((row) => html`<tr key=${row.name}>
          <th scope="row" title=${visibleText(row.name)}><${Text} text=${row.name} /></th>
          <td><svg class=${`figure-bar tone-${row.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${(row.value / highest) * 100} height="10" /></svg></td>
          <td class="right num">${row.text}</td></tr>`)}</tbody></table>`
      : html`<p class="soft figure-none">${none}</p>`}
  <//>`;
}

/**
 * Figures of several things side by side.
 * @param {{title: string, about: string, id: string, data: {header: string[], rows: (string | number | null)[][]}, none: string}} props
 */
export function SideBySideCard({ title, about, id, data: { header, rows }, none }) {
  const tools = html`<${Button} kind="ghost" icon="export" label=${`${title} as CSV`} onClick=${() => download(`tallystick-${id}.csv`, csv(header, rows), "text/csv")} />`;
  return html`<${Panel} class="figure figure-wide" title=${title} actions=${tools} data-testid=${`figure-${id}`}>
    <p class="figure-about soft">${about}</p>
    ${rows.length
      ? html`<div class="figure-scroll" role="region" aria-label=${title} tabindex="0"><table class="table">
          <thead><tr>${header.map((word, at) => html`<th scope="col" class=${at ? "right" : null}>${word}</th>`)}</tr></thead>
          <tbody>${rows.map(([name, ...values]) => html`<tr key=${name}><th scope="row"><${Text} text=${String(name)} /></th>
            ${values.map((value) => html`<td class=${names("right num", !value && "faint")}>${value ?? "–"}</td>`)}</tr>`)}</tbody>
        </table></div>`
      : html`<p class="soft figure-none">${none}</p>`}
  <//>`;
}
