/** Tables with a fixed header. */

import { html } from "../html.js";

/**
 * @template T
 * @param {{label: string, columns: {title: string, cell: (row: T) => any, class?: string}[], rows: T[],
 *   id: (row: T) => string | number, selected?: string | number, onSelect?: (row: T) => void}} props
 */
export function Table({ label, columns, rows, id, selected, onSelect }) {
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="table">
      <thead>
        <tr>${columns.map((column) => html`<th scope="col" class=${column.class}>${column.title}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr
            key=${id(row)}
            class=${onSelect ? "row-link" : null}
            aria-selected=${selected === undefined ? null : String(id(row) === selected)}
            onClick=${onSelect ? () => onSelect(row) : null}
          >
            ${columns.map((column) => html`<td class=${column.class}>${column.cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
