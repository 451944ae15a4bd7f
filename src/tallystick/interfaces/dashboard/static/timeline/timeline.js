/** The timeline: the actions of each agent over time, with their states. */

import { html, useEffect, useMemo, useRef } from "../html.js";
import { Icon } from "../icons.js";
import { setting, useSetting } from "../settings.js";
import { Button, Text, span, visibleText, useNow } from "../ui/index.js";
import { Bar } from "./bar.js";
import { PADDING, ROW, arrange } from "./lanes.js";
import { marks } from "./marks.js";
import { folded, lengthOf, pieces, ticks } from "./scale.js";
import { useGestures, useView, useWidth } from "./view.js";

/** @typedef {import("../execution/actions.js").Line} Line */

const AXIS = 26;
const COARSE = 5000;
/** Milliseconds between two updates of open bars. */
const LEAST = 4;
const NEAR = 2000;
/** Milliseconds shown around a selected action that is too small to be visible. */
const BEYOND = 20_000;
/** Milliseconds that an open bar extends beyond the last entry; later time counts as idle. */

/**
 * @param {{lines: Line[], open: boolean, last: string, selected?: string, onSelect: (id: string) => void}} props
 *   `open` while the execution has not ended, `last` is the time of its last entry
 */
export function Timeline({ lines, open, last, selected, onSelect }) {
  const now = useEdge(open, last);
  const edge = Math.min(now, (Date.parse(last) || now) + BEYOND);
  const { lanes, height } = useMemo(() => arrange(lines, edge), [lines, edge]);
  const scale = useMemo(() => pieces([...lanes.flatMap((lane) => lane.bars), { from: now, to: now }]), [lanes, now]);
  const length = lengthOf(scale);
  const how = useView(length);
  const [box, width] = useWidth();
  const { view } = how;
  const place = (/** @type {number} */ time) => ((time - view.from) / (view.to - view.from)) * width;
  const x = (/** @type {number} */ time) => place(folded(scale, time));
  const y = (/** @type {any} */ lane, /** @type {number} */ row) => AXIS + lane.top + PADDING + row * ROW;
  const drawn = useMemo(() => (width ? marks(lanes, x, width, y, selected) : []), [lanes, view.from, view.to, width, selected]);
  useEffect(() => {
    const bar = selected && lanes.flatMap((lane) => lane.bars).find(({ line }) => line.id === selected);
    if (!bar || x(bar.to) - x(bar.from) > LEAST) return;
    const from = folded(scale, bar.from);
    const to = folded(scale, bar.to);
    const room = Math.max(8 * (to - from), NEAR);
    how.show({ from: from - room, to: to + room });
  }, [selected, width > 0 && lines.length > 0]);
  const chart = useRef(/** @type {any} */ (null));
  useGestures(chart, how);
  const choose = (/** @type {any} */ mark) => {
    if (mark.count === 1 || mark.together) return onSelect(mark.line.id);
    const from = view.from + (mark.x / width) * (view.to - view.from);
    const to = view.from + ((mark.x + mark.width) / width) * (view.to - view.from);
    return how.show({ from: from - (to - from) / 2, to: to + (to - from) / 2 });
  };
  const reachable = (drawn.find((mark) => mark.line.id === selected) || drawn[0])?.line.id;
  return html`<div class="timeline" data-testid="timeline">
    <${Tools} how=${how} count=${lines.length} />
    <div class="timeline-box">
      <${Labels} lanes=${lanes} />
      <div class="timeline-chart" ref=${box}>
        <svg
          ref=${chart}
          class="chart"
          width=${width}
          height=${height + AXIS + 4}
          role="group"
          aria-label="Timeline of actions. Arrow keys move between them, plus and minus zoom, zero shows all."
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyed(event, how, drawn, choose)}
        >
          <defs>
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path class="hatch-line" d="M0 0v6" />
            </pattern>
            <marker id="undo-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
              <path class="undo-tip" d="M0 0L8 4 0 8z" />
            </marker>
          </defs>
          <${Axis} scale=${scale} place=${place} view=${view} height=${height} />
          ${lanes.map((lane) => html`<path class="lane-line" d=${`M0 ${AXIS + lane.top + lane.rows * ROW + 2 * PADDING}.5H${width}`} />`)}
          <${Undos} lanes=${lanes} x=${x} y=${y} selected=${selected} />
          ${drawn.map(
            (mark) => html`<${Bar} key=${mark.line.id} mark=${mark} selected=${mark.line.id === selected} reachable=${mark.line.id === reachable} edge=${Math.min(Math.max(x(now), mark.x + 14), width + 20)} onSelect=${choose} />`,
          )}
        </svg>
      </div>
    </div>
  </div>`;
}

/**
 * The right edge of open bars: now, while the execution has not ended.
 * @param {boolean} open
 * @param {string} last
 */
function useEdge(open, last) {
  const now = useNow();
  const end = Date.parse(last) || now;
  return open ? Math.max(end, Math.ceil(now / COARSE) * COARSE) : end;
}

/** @param {{how: ReturnType<typeof useView>, count: number}} props */
function Tools({ how, count }) {
  return html`<div class="timeline-tools">
    <span class="soft">${count} action${count === 1 ? "" : "s"}</span>
    <span class="timeline-keys faint">drag to move, Ctrl and wheel to zoom</span>
    <${Button} kind="ghost" icon="zoomout" label="Zoom out" onClick=${() => how.zoom(1.6)} disabled=${!how.zoomed} />
    <${Button} kind="ghost" icon="zoomin" label="Zoom in" onClick=${() => how.zoom(0.6)} />
    <${Button} kind="ghost" icon="fit" label="Show all" onClick=${how.fit} disabled=${!how.zoomed} />
  </div>`;
}

/** @param {{lanes: import("./lanes.js").Lane[]}} props */
function Labels({ lanes }) {
  return html`<ul class="lanes" aria-label="Lanes">
    ${lanes.map(
      (lane) => html`<li class=${lane.child ? "lane lane-child" : "lane"} style=${{ height: `${lane.rows * ROW + 2 * PADDING}px` }}>
        <span class="lane-name cut" title=${visibleText(lane.name)}><${Text} text=${lane.child ? lane.name.split("/").slice(1).join("/") || lane.name : lane.name} /></span>
        <span class="lane-kind"><${Icon} name=${lane.kind === "hook" || lane.kind === "gateway" ? "observed" : "agent"} size=${12} />${lane.kind}</span>
      </li>`,
    )}
  </ul>`;
}

/** @param {{scale: any[], place: (time: number) => number, view: any, height: number}} props */
function Axis({ scale, place, view, height }) {
  const utc = useSetting("zone") === "utc";
  const zone = utc ? 0 : -new Date().getTimezoneOffset() * 60_000;
  const { step, marks: found } = ticks(scale, place, view, 84, zone);
  return html`<g class="axis" aria-hidden="true">
    ${scale
      .filter((piece) => piece.gap && piece.at + piece.size > view.from && piece.at < view.to)
      .map((piece) => {
        const from = place(piece.at);
        const width = place(piece.at + piece.size) - from;
        const text = span(piece.to - piece.from, 1);
        return html`<g class="gap">
          <title>${text} without entries</title>
          <path class="gap-band" d=${`M${from} 0H${from + width}V${height + AXIS}H${from}z`} />
          ${width > text.length * 6 && html`<text class="gap-text" x=${from + width / 2} y="16">${text}</text>`}
        </g>`;
      })}
    ${found.map(
      ({ time, x }) => html`<path class="tick" d=${`M${Math.round(x)}.5 ${AXIS - 4}V${height + AXIS}`} />
        <text x=${Math.round(x) + 4} y="16">${written(time, step)}</text>`,
    )}
  </g>`;
}

/**
 * @param {number} time
 * @param {number} step
 */
function written(time, step) {
  const date = new Date(time);
  const how = /** @type {any} */ ({ hour: "2-digit", minute: "2-digit" });
  if (step < 60_000) how.second = "2-digit";
  if (step < 1000) how.fractionalSecondDigits = 3;
  if (step >= 43_200_000) Object.assign(how, { day: "numeric", month: "short" });
  return date.toLocaleTimeString("en-GB", { ...how, timeZone: setting("zone") === "utc" ? "UTC" : undefined });
}

/** Arrows from each undo to the undone action. @param {any} props */
function Undos({ lanes, x, y, selected }) {
  const where = new Map(lanes.flatMap((/** @type {any} */ lane) => lane.bars.map((/** @type {any} */ bar) => [bar.line.id, { bar, lane }])));
  const pairs = [...where.values()].filter(({ bar }) => bar.line.undoes && where.has(bar.line.undoes)).slice(0, 200);
  return html`<g class="undos" aria-hidden="true">
    ${pairs.map(({ bar, lane }) => {
      const other = /** @type {any} */ (where.get(bar.line.undoes));
      const [x1, y1] = [x(bar.from), y(lane, bar.row) + 9];
      const [x2, y2] = [x(other.bar.to), y(other.lane, other.bar.row) + 9];
      const bend = Math.max(16, Math.abs(x1 - x2) / 3);
      const on = selected === bar.line.id || selected === other.bar.line.id;
      return html`<path class=${on ? "undo undo-on" : "undo"} marker-end="url(#undo-tip)" d=${`M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2 + 2} ${y2}`} />`;
    })}
  </g>`;
}

/**
 * @param {KeyboardEvent} event
 * @param {ReturnType<typeof useView>} how
 * @param {any[]} drawn
 * @param {(mark: any) => void} choose
 */
function keyed(event, how, drawn, choose) {
  const root = /** @type {Element} */ (event.currentTarget).getRootNode(); // a shadow root keeps its own focus
  const id = /** @type {Document | ShadowRoot} */ (root).activeElement?.getAttribute("data-action");
  const place = drawn.findIndex((mark) => mark.line.id === id);
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.shiftKey && (event.key === "ArrowRight" || event.key === "ArrowLeft")) how.pan(event.key === "ArrowRight" ? 0.2 : -0.2);
  else if (step) {
    const next = drawn[Math.min(Math.max(place + step, 0), drawn.length - 1)];
    const bar = /** @type {any} */ (event.currentTarget).querySelector(`[data-action="${CSS.escape(next.line.id)}"]`);
    bar?.focus();
  } else if (event.key === "+" || event.key === "=") how.zoom(0.6);
  else if (event.key === "-") how.zoom(1.6);
  else if (event.key === "0") how.fit();
  else if ((event.key === "Enter" || event.key === " ") && place >= 0) choose(drawn[place]);
  else return;
  event.preventDefault();
}
