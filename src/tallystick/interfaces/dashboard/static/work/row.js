/** One row of the waterfall: what it is, its state, and its bar. The error stands in the row. */

import { html, names } from "../html.js";
import { Icon } from "../icons.js";
import { Status, Text, span, state, visibleText } from "../ui/index.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {{left: number, width: number, open: boolean} | null} Place shares of the chart's width */

/** Words for the state of an undo that would be read as that of the action. */
const UNDO_WORDS = /** @type {Record<string, string>} */ ({ failed: "undo failed", in_doubt: "undo in doubt" });

/** @param {Row} row */
export const titleOf = (row) => (row.kind === "group" ? row.tool || row.actor || row.summary || row.id : row.summary || row.tool || row.id);

/** The action that a row shows; empty for a group, and for a step that nobody began. @param {Row} row */
export const actionOf = (row) => (row.kind === "step" ? row.action_id || "" : row.kind === "group" ? "" : row.id);

/** Whether there is something inside: a group, or a step with several attempts or an undo. @param {Row} row */
export const canUnfold = (row) => row.depth === 0 && (row.kind === "group" || (row.kind === "step" && ((row.attempts || 0) > 1 || Boolean(row.undone_by))));

/** How many of the actions inside a row are shown. @param {Row} row */
const partOf = ({ shown, count }) => (count ? `${shown} of ${count} shown` : `the first ${shown} shown`);

/** What a row says beside its state, for the eye and for a screen reader. @param {Row} row */
export function notesOf(row) {
  const bad = Object.entries(row.states || {}).filter(([name]) => name !== "ok");
  const attempts = row.attempts || 0;
  return [
    row.kind === "group" && `${row.count} calls`,
    row.shown && partOf(row),
    ...bad.map(([name, count]) => `${count} ${state(name).word}`),
    row.kind === "step" && attempts > 1 && `${attempts} attempts`,
    row.kind === "action" && attempts > 1 && `attempt ${attempts}`,
    row.unplanned && "unplanned",
    row.dropped && "dropped from the plan",
    row.late && "recorded after the end",
    row.temporary && "temporary",
    row.decided && `decided: ${row.decided}`,
    row.kind === "step" && row.cancellable === "irreversible" && "irreversible",
    row.permission,
    row.silent,
    row.unserved,
  ].filter(Boolean);
}

/** How long a row took, or is expected to take. Nobody knows it of what was only settled later. @param {Row} row */
export function tookOf(row) {
  const end = row.ended || row.lost;
  if (["planned", "skipped"].includes(row.state)) return row.estimate ? `about ${span(row.estimate * 1000, 1)}` : ""; // an attempt did not happen
  if (row.ended && row.lost) return "";
  if (row.begun && end) return span(Date.parse(end) - Date.parse(row.begun));
  if (!row.begun && row.estimate) return `about ${span(row.estimate * 1000, 1)}`;
  return row.begun && ["open", "running"].includes(row.state) ? "under way" : "";
}

/**
 * @param {{row: Row, index: number, height: number, place: Place, on: boolean, focusable: boolean, unfolded: boolean, loading: boolean,
 *   row_actions?: any, onSelect: (row: Row) => void, onToggle: (row: Row) => void}} props
 *   `row_actions` is a component that gets `{row}` and draws what a person can do about it
 */
export function WorkRow({ row, index, height, place, on, focusable, unfolded, loading, row_actions: Actions, onSelect, onToggle }) {
  if (row.kind === "rest") return html`<${RestRow} row=${row} index=${index} height=${height} focusable=${focusable} onSelect=${onSelect} />`;
  const { tone, icon, word } = state(row.state);
  const notes = notesOf(row);
  const who = row.kind === "group" && !row.tool ? "" : row.actor;
  return html`<div class=${names("work-row", `tone-${tone}`, on && "work-on", row.depth > 0 && "work-inside", row.unplanned && "work-unplanned", !row.begun && "work-ahead")} role="row" aria-rowindex=${index + 2} style=${{ height: `${height}px` }} data-row=${row.key}>
    <div role="cell" class="work-what">
      ${canUnfold(row)
        ? html`<button type="button" class="work-fold" aria-expanded=${String(unfolded)} aria-label=${`${unfolded ? "Fold" : "Unfold"} ${visibleText(titleOf(row))}`} tabindex=${focusable ? 0 : -1} onClick=${() => onToggle(row)}><${Icon} name=${unfolded ? "down" : "right"} size=${12} /></button>`
        : html`<span class="work-fold" />`}
      <span class="work-icon"><${Icon} name=${row.action_kind === "undo" && row.state === "ok" ? "unwinding" : icon} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${focusable ? 0 : -1} aria-pressed=${String(on)} onClick=${() => onSelect(row)}>${row.action_kind === "undo" ? "undo: " : ""}<${Text} text=${titleOf(row)} /></button>${notes.length > 0 && html`<span class="work-notes">${notes.join(" · ")}</span>`}</p>
        <p class="work-more cut">${row.error
          ? html`<span class="work-error"><${Text} text=${row.error} /></span>`
          : html`${row.tool && row.tool !== titleOf(row) && html`<code><${Text} text=${row.tool} /></code>`}${who && html`<span><${Text} text=${who} /></span>`}${loading && html`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${word}</span>${row.undo_state && !["not_undone", row.state].includes(row.undo_state) && html`<${Status} state=${row.undo_state} quiet word=${UNDO_WORDS[row.undo_state] || ""} />`}</div>
    <div role="cell" class="work-actions">${Actions && html`<${Actions} row=${row} />`}</div>
    <div role="cell" class="work-took num">${tookOf(row)}</div>
    <div role="cell" class="work-chart">${place && html`<${WorkBar} row=${row} place=${place} />`}</div>
  </div>`;
}

/** The row of what is not shown of an unfolded one. @param {{row: Row, index: number, height: number, focusable: boolean, onSelect: (row: Row) => void}} props */
function RestRow({ row, index, height, focusable, onSelect }) {
  return html`<div class="work-row work-inside tone-plain" role="row" aria-rowindex=${index + 2} style=${{ height: `${height}px` }} data-row=${row.key}>
    <div role="cell" class="work-what"><span class="work-fold" /><span class="work-icon"><${Icon} name="down" /></span>
      <div class="work-text"><p class="work-title"><button type="button" class="row-button" data-focus tabindex=${focusable ? 0 : -1} onClick=${() => onSelect(row)}>Show more</button><span class="work-notes">${partOf(row)}</span></p></div></div>
    <div role="cell" class="work-state" /><div role="cell" class="work-actions" /><div role="cell" class="work-took" /><div role="cell" class="work-chart" />
  </div>`;
}

/** @param {{row: Row, place: {left: number, width: number, open: boolean}}} props */
function WorkBar({ row, place }) {
  const kind = names("work-bar", `bar-${row.state}`, row.action_kind === "undo" && "bar-undo", row.kind === "group" && "bar-group", place.open && "bar-open");
  return html`<span class=${kind} aria-hidden="true" style=${{ left: `${place.left * 100}%`, width: `${place.width * 100}%` }} />`;
}
