/** The waterfall: a row for each step and action, with bars on one axis of time. Only the rows in view are drawn. */

import { html, names, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../html.js";
import { setting, useSetting } from "../settings.js";
import { Button, Empty, Loading, ProblemNote, VirtualList, span, useNow } from "../ui/index.js";
import { WorkRow, actionOf, canUnfold } from "./row.js";
import { folded, lengthOf, pieces, ticks } from "./scale.js";
import { useGestures, useView, useWidth } from "./zoom.js";

/** @typedef {import("./rows.js").Row} Row */

const HEIGHT = 44;
const HEIGHT_ON_A_PHONE = 60;
const BUTTON_ON_A_PHONE = 16;
/** Pixels that a row is higher if it may have a button. */
const NARROW = 620;
/** Pixels: below, bars stand under the text. */
const COARSE = 5000;
/** Milliseconds between two updates of open bars. */
const BEYOND = 20_000;
/** Milliseconds that an open bar extends beyond the last entry; later time counts as idle. */
const NEAR_THE_END = 20;
/** Rows: so far from the end, the next page is loaded. */
const APART = 84;
/** Pixels between two times on the axis. */

/**
 * @param {{work: ReturnType<typeof import("./rows.js").useWork>, execution: any, selected?: string, row_actions?: any,
 *   onSelect: (row: Row) => void, empty?: any}} props `execution` is the one of `get_status`; `selected` an action or a step
 */
export function Waterfall({ work, execution, selected = "", row_actions: actions, onSelect, empty }) {
  const { rows, complete, open } = work;
  const [box, width] = useWidth();
  const narrow = width > 0 && width < NARROW;
  const height = (narrow ? HEIGHT_ON_A_PHONE + (actions ? BUTTON_ON_A_PHONE : 0) : HEIGHT) + (useSetting("density") === "comfortable" ? 8 : 0);
  const { scale, edge } = useScale(rows, execution, complete);
  const zoom = useView(lengthOf(scale));
  const { view } = zoom;
  const [focus, setFocus] = useState(0);
  const seen = useRef([0, 0]);
  const axis = useRef(/** @type {any} */ (null));
  const share = (/** @type {number} */ time) => (folded(scale, time) - view.from) / (view.to - view.from);
  const place = (/** @type {Row} */ row) => placeOf(row, share, edge);

  const onRange = useCallback((/** @type {number} */ first, /** @type {number} */ last) => {
    seen.current = [first, last];
    work.see(work.pageOf[first] ?? 0, work.pageOf[Math.min(last, work.pageOf.length) - 1] ?? 0);
  }, [work.pageOf]);
  useEffect(() => {
    if (work.started && !work.problem && seen.current[1] >= rows.length - NEAR_THE_END) work.more();
  });
  const fitRows = () => {
    const spans = rows.slice(...seen.current).filter((row) => row.begun);
    if (!spans.length) return;
    const from = Math.min(...spans.map((row) => folded(scale, Date.parse(/** @type {string} */ (row.begun)))));
    const to = Math.max(...spans.map((row) => folded(scale, endOf(row, edge))));
    zoom.show({ from: from - (to - from) * 0.02, to: to + (to - from) * 0.02 });
  };
  const keyed = useRowKeys(box, rows, setFocus, work.toggle, { zoom, fitRows });
  const choose = (/** @type {Row} */ row) => (row.of ? work.further(row.of) : row.kind === "group" ? work.toggle(row) : onSelect(row));
  const reachable = Math.min(focus, rows.length - 1);
  const chosen = rows.findIndex((row) => selected && (actionOf(row) === selected || (row.kind === "step" && row.id === selected)));
  useEffect(() => {
    if (chosen >= 0) setFocus(chosen);
  }, [chosen]);

  return html`<div class=${names("waterfall", narrow && "waterfall-narrow", actions && "waterfall-acting")} ref=${box} data-testid="waterfall" onKeyDown=${keyed}>
    <${ProblemNote} problem=${work.problem} retry=${work.retry} />
    ${!work.started ? html`<${Loading} what="Loading" />` : !rows.length && complete ? empty || html`<${Empty} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${Empty}>` : html`
      <${VirtualList}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${rows}
        height=${height}
        selected=${chosen}
        onRange=${onRange}
        head=${html`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${axis}><span class="visually-hidden">when</span><${Axis} scale=${scale} view=${view} share=${share} zoom=${zoom} /></div>
        </div></div>`}
        row=${(/** @type {Row} */ row, /** @type {number} */ index) => html`<${WorkRow} key=${row.key} row=${row} index=${index} height=${height} place=${place(row)} on=${index === chosen} focusable=${index === reachable} unfolded=${open.has(row.key)} loading=${open.get(row.key) === null} row_actions=${actions} onSelect=${choose} onToggle=${work.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${rows.length}${complete ? "" : "+"} row${rows.length === 1 ? "" : "s"}</span>
        <span class="work-zoom">
          <${Button} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${fitRows} />
          <${Button} kind="ghost" icon="zoomout" label="Zoom out" onClick=${() => zoom.zoom(1.6)} disabled=${!zoom.zoomed} />
          <${Button} kind="ghost" icon="zoomin" label="Zoom in" onClick=${() => zoom.zoom(0.6)} />
          <${Button} kind="ghost" icon="fit" label="Show all" onClick=${zoom.fit} disabled=${!zoom.zoomed} />
        </span>
      </div>`}
  </div>`;
}

/**
 * The folded time of all rows that are loaded, and the right edge of what has no end.
 * @param {Row[]} rows
 * @param {any} execution
 * @param {boolean} complete
 */
function useScale(rows, execution, complete) {
  const now = useNow();
  const last = Date.parse(execution.interrupted || execution.last || execution.started) || now;
  const live = !execution.ended && !execution.interrupted;
  const edge = live ? Math.min(Math.max(last, Math.ceil(now / COARSE) * COARSE), last + BEYOND) : last;
  const scale = useMemo(() => {
    const spans = rows.filter((row) => row.begun).map((row) => ({ from: Date.parse(/** @type {string} */ (row.begun)), to: endOf(row, edge) }));
    const end = Math.max(edge, ...spans.map((each) => each.to).slice(-1));
    const from = complete || !spans.length ? end : spans[spans.length - 1].to; // what is not loaded yet counts as busy
    return pieces([...spans, { from: Math.min(from, end), to: end }]);
  }, [rows, edge, complete]);
  return { scale, edge };
}

/** @param {Row} row @param {number} edge */
function endOf(row, edge) {
  const begun = Date.parse(/** @type {string} */ (row.begun));
  const over = row.lost || row.ended; // an end that settled a doubt was recorded long after
  return Math.max(begun, over ? Date.parse(over) : edge);
}

/**
 * @param {Row} row
 * @param {(time: number) => number} share
 * @param {number} edge
 */
function placeOf(row, share, edge) {
  if (!row.begun) return null;
  const left = share(Date.parse(row.begun));
  const right = share(endOf(row, edge));
  if (right < 0 || left > 1) return null;
  const from = Math.max(0, Math.min(left, 1));
  return { left: from, width: Math.max(0, Math.min(right, 1) - from), open: !row.ended && !row.lost };
}

/** @param {{scale: any[], view: any, share: (time: number) => number, zoom: ReturnType<typeof useView>}} props */
function Axis({ scale, view, share, zoom }) {
  const [box, width] = useWidth();
  useGestures(box, zoom);
  const utc = useSetting("zone") === "utc";
  const zone = utc ? 0 : -new Date().getTimezoneOffset() * 60_000;
  const place = (/** @type {number} */ at) => ((at - view.from) / (view.to - view.from)) * width;
  const { step, marks } = width ? ticks(scale, place, view, APART, zone) : { step: 0, marks: [] };
  return html`<div class="work-axis" ref=${box} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${scale.filter((piece) => piece.gap && piece.at + piece.size > view.from && piece.at < view.to).map((piece) => {
      const text = span(piece.to - piece.from, 1);
      return html`<span class="work-gap" title=${`${text} without entries`} style=${{ left: `${place(piece.at)}px`, width: `${place(piece.at + piece.size) - place(piece.at)}px` }}><span>${text}</span></span>`;
    })}
    ${marks.map(({ time, x }) => html`<span class="work-tick" style=${{ left: `${Math.round(x)}px` }}>${written(time, step)}</span>`)}
  </div>`;
}

/**
 * @param {number} time
 * @param {number} step
 */
function written(time, step) {
  const how = /** @type {any} */ ({ hour: "2-digit", minute: "2-digit" });
  if (step < 60_000) how.second = "2-digit";
  if (step < 1000) how.fractionalSecondDigits = 3;
  if (step >= 43_200_000) Object.assign(how, { day: "numeric", month: "short" });
  return new Date(time).toLocaleTimeString("en-GB", { ...how, timeZone: setting("zone") === "utc" ? "UTC" : undefined });
}

/**
 * Keys of the list: arrows move between rows and fold, Home and End go to the ends, plus and minus zoom.
 * @param {any} box
 * @param {Row[]} rows
 * @param {(index: number) => void} setFocus
 * @param {(row: Row) => void} toggle
 * @param {{zoom: ReturnType<typeof useView>, fitRows: () => void}} tools
 */
function useRowKeys(box, rows, setFocus, toggle, { zoom, fitRows }) {
  const wanted = useRef("");
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const found = box.current?.querySelector(`[data-row="${CSS.escape(wanted.current)}"] [data-focus]`);
    if (!found) return;
    wanted.current = "";
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "nearest" }); // the list may reach below the screen
  });
  return (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.matches("[data-focus], .work-fold, .virtual")) return;
    const at = rows.findIndex((row) => row.key === target.closest("[data-row]")?.getAttribute("data-row"));
    const go = (/** @type {number} */ to) => {
      const index = Math.min(Math.max(to, 0), rows.length - 1);
      const list = box.current.querySelector(".virtual");
      const size = list.querySelector("[data-row]")?.offsetHeight || HEIGHT;
      const room = list.clientHeight - size;
      if (index * size < list.scrollTop) list.scrollTop = index * size;
      else if (index * size > list.scrollTop + room - size) list.scrollTop = index * size - room + size;
      wanted.current = rows[index]?.key || "";
      setFocus(index);
    };
    const row = rows[at];
    const folds = row && canUnfold(row);
    const isOpen = target.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded") === "true";
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      "+": () => zoom.zoom(0.6),
      "-": () => zoom.zoom(1.6),
      0: zoom.fit,
      z: fitRows,
      ...(folds && !isOpen && { ArrowRight: () => toggle(row) }),
      ...(folds && isOpen && { ArrowLeft: () => toggle(row) }),
    });
    const key = keys[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    key();
    event.preventDefault();
    event.stopPropagation();
  };
}
