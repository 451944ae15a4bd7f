/** The timeline as a table. */

import { nameOf } from "../execution/actions.js";
import { html } from "../html.js";
import { useSetting } from "../settings.js";
import { Duration, Status, Text, Time, VirtualList, Witness } from "../ui/index.js";

/** @typedef {import("../execution/actions.js").Line} Line */

/**
 * @param {{lines: Line[], selected?: string, onSelect: (id: string) => void}} props
 */
export function ActionTable({ lines, selected, onSelect }) {
  const height = useSetting("density") === "comfortable" ? 44 : 34;
  const head = html`<div class="action-head" role="rowgroup"><div class="action-row" role="row">
    ${["#", "state", "action", "tool", "who", "witness", "begun", "took"].map((word) => html`<span role="columnheader">${word}</span>`)}
  </div></div>`;
  return html`<div class="action-table">
    <${VirtualList}
      label="Actions"
      outer="table"
      role="rowgroup"
      rows=${lines}
      height=${height}
      head=${head}
      selected=${lines.findIndex((line) => line.id === selected)}
      row=${(/** @type {Line} */ line, /** @type {number} */ index) => html`<${ActionRow} key=${line.id} line=${line} index=${index} height=${height} on=${line.id === selected} onSelect=${onSelect} />`}
    />
  </div>`;
}

/** @param {{line: Line, index: number, height: number, on: boolean, onSelect: (id: string) => void}} props */
function ActionRow({ line, index, height, on, onSelect }) {
  return html`<div class=${on ? "action-row action-on" : "action-row"} role="row" aria-rowindex=${index + 2} style=${{ height: `${height}px` }}>
    <span role="cell" class="num faint">${line.seq}</span>
    <span role="cell"><${Status} state=${line.state} quiet /></span>
    <span role="cell" class="cut"><button type="button" class="row-button cut" aria-pressed=${String(on)} onClick=${() => onSelect(line.id)}>${line.kind === "undo" ? "undo: " : ""}<${Text} text=${nameOf(line)} /></button>${(line.attempt || 1) > 1 ? html` <span class="faint">attempt ${line.attempt}</span>` : null}${line.unplanned ? html` <span class="faint">unplanned</span>` : null}</span>
    <span role="cell" class="cut mono"><${Text} text=${line.tool} /></span>
    <span role="cell" class="cut"><${Text} text=${line.actor} /></span>
    <span role="cell"><${Witness} witness=${line.witness || "claimed"} /></span>
    <span role="cell"><${Time} at=${line.begun} form="absolute" /></span>
    <span role="cell">${line.ended || line.state === "open" ? html`<${Duration} from=${line.begun} to=${line.ended} />` : html`<span class="faint">no end</span>`}</span>
  </div>`;
}
