/** Draws a figure with uPlot. A table beside it has the same values. */

import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { uPlot, useLibrary } from "../lazy.js";
import { useSetting } from "../settings.js";
import { useZone } from "../ui/time.js";
import { dateText, isHour, written } from "./figures.js";
import { fillOf, palette } from "./colours.js";

const HEIGHT = 168;
const HOUR = 3600;
const DAY = 24 * HOUR;
const SPREAD = 50;
/** Durations that differ by more than this factor are drawn on a logarithmic scale, so that the short ones show. */

/** Allowed steps of an axis: whole numbers and round times. */
const STEPS = {
  count: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000],
  seconds: [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800],
  share: [0.25, 0.5],
};

/** @param {{figure: import("./figures.js").Figure}} props */
export function Plot({ figure }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const library = useLibrary(uPlot);
  const theme = useSetting("theme");
  const zone = useZone();
  const [system, setSystem] = useState(false);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const look = () => setSystem((before) => !before);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !library) return undefined;
    const plot = new library(options(library, figure, element, zone, setAt), data(figure), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [library, figure, theme, system, zone]);

  return html`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${at === null ? html`<span class="plot-legend">${figure.series.map((series) => html`<span><i class=${`swatch swatch-${series.form} pattern-${series.pattern ?? "plain"} tone-${series.tone}`}></i>${series.name}</span>`)}</span>`
        : html`<strong>${dateText(figure.days[at], zone)}</strong> ${figure.series.map((series) => html`<span>${series.name} ${written(series.values[at], figure.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${box} role="img" aria-label=${`${figure.title}, ${figure.headline}; the table holds the values`}></div>
  </div>`;
}

/** Stacked bars are drawn from the tallest sum down, so that each covers the lower part of the one before. */
function stacks(/** @type {import("./figures.js").Figure} */ figure) {
  /** @type {(number | null)[]} */
  let below = figure.days.map(() => 0);
  return figure.series.map((series) => {
    if (!figure.stacked || series.form !== "bars") return series.values;
    below = below.map((sum, at) => Number(sum) + Number(series.values[at] ?? 0));
    return below;
  });
}

/** @param {import("./figures.js").Figure} figure */
function order(figure) {
  const bars = figure.series.map((series, index) => ({ series, index })).filter((each) => each.series.form === "bars").reverse();
  const drawn = figure.series.map((series, index) => ({ series, index })).filter((each) => each.series.form === "line");
  return [...bars, ...drawn];
}

/** @param {import("./figures.js").Figure} figure */
function data(figure) {
  const values = stacks(figure);
  return [figure.days.map((day) => Date.parse(day) / 1000), ...order(figure).map(({ index }) => values[index])];
}

/**
 * The lowest and the highest value to show; a factor apart if the scale is logarithmic.
 * @param {import("./figures.js").Figure} figure
 */
function scaleOf(figure) {
  const known = stacks(figure).flat().filter((value) => Number(value) > 0).map(Number);
  const [low, high] = [Math.min(...known), Math.max(0, ...known)];
  const lines = figure.series.every((series) => series.form === "line");
  if (figure.unit === "seconds" && lines && high > low * SPREAD) {
    return { distr: 3, range: () => [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high))] };
  }
  const least = figure.unit === "count" ? 4 : 1;
  return { range: () => [0, figure.unit === "share" ? 1 : Math.max(high, least) * 1.08] };
}

/**
 * @param {boolean} hours
 * @param {string} zone
 */
function dateAxis(hours, zone) {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: zone });
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone });
  const text = (/** @type {number} */ at) => (hours && time.format(at) !== "00:00" ? time.format(at) : day.format(at));
  return {
    space: 64, size: 24, incrs: hours ? [1, 2, 3, 6, 12, 24].map((each) => each * HOUR) : [1, 2, 7, 14, 30, 90].map((each) => each * DAY),
    values: (/** @type {any} */ _plot, /** @type {number[]} */ splits) => splits.map((stamp) => text(stamp * 1000)),
  };
}

/**
 * @param {any} library uPlot
 * @param {import("./figures.js").Figure} figure
 * @param {HTMLElement} element
 * @param {string} zone
 * @param {(at: number | null) => void} onHover
 */
function options(library, figure, element, zone, onHover) {
  const colours = palette(element);
  const font = `11px ${colours.sans}`;
  const axis = { stroke: colours.faint, font, grid: { stroke: colours.line, width: 1 }, ticks: { show: false } };
  const hours = isHour(figure.days[0]);
  const dates = hours ? zone : "Etc/UTC"; // days are counted in UTC
  const half = (hours ? HOUR : DAY) / 2; // room for half a bar at both ends
  const scale = scaleOf(figure);
  return {
    width: element.clientWidth, height: HEIGHT, legend: { show: false },
    tzDate: (/** @type {number} */ stamp) => library.tzDate(new Date(stamp * 1000), dates),
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
    hooks: { setCursor: [(/** @type {any} */ plot) => onHover(plot.cursor.idx ?? null)] },
    scales: { x: { range: (/** @type {any} */ _plot, /** @type {number} */ first, /** @type {number} */ last) => [first - half, last + half] }, y: scale },
    axes: [
      { ...axis, grid: { show: false }, ...dateAxis(hours, dates) },
      { ...axis, size: 56, space: 36, ...(scale.distr ? {} : { incrs: STEPS[figure.unit] }),
        values: (/** @type {any} */ _plot, /** @type {(number | null)[]} */ splits) => splits.map((value) => (value === null ? "" : written(value, figure.unit))) },
    ],
    series: [{}, ...order(figure).map(({ series }) => ({
      label: series.name, stroke: colours.of(series.tone), width: series.form === "line" ? 1.75 : 0, spanGaps: false,
      dash: series.pattern === "dash" ? [5, 4] : undefined,
      fill: series.form === "bars" ? fillOf(series, colours) : undefined,
      paths: series.form === "bars" ? library.paths.bars({ size: [0.72, 28], radius: 0.12 }) : library.paths.linear(),
      points: { show: series.form === "line", size: 4 }, // a value between two gaps is a point and no line
    }))],
  };
}
