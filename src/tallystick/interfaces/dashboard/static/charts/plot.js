/** Draws a figure with uPlot. A table beside it has the same values. */

import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { useSetting } from "../settings.js";
import uPlot from "../vendor/uplot.js";
import { written } from "./figures.js";
import { fillOf, palette } from "./colours.js";

const HEIGHT = 168;
const HALF_DAY = 43_200;
/** Room for half a bar at both ends. */

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
  const theme = useSetting("theme");
  const [system, setSystem] = useState(false);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const look = () => setSystem((before) => !before);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const plot = new uPlot(options(figure, element, setAt), data(figure), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [figure, theme, system]);

  return html`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${at === null ? html`<span class="plot-legend">${figure.series.map((series) => html`<span><i class=${`swatch swatch-${series.form} pattern-${series.pattern ?? "plain"} tone-${series.tone}`}></i>${series.name}</span>`)}</span>`
        : html`<strong>${figure.days[at]}</strong> ${figure.series.map((series) => html`<span>${series.name} ${written(series.values[at], figure.unit)}</span>`)}`}
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
  return [figure.days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000), ...order(figure).map(({ index }) => values[index])];
}

/**
 * @param {import("./figures.js").Figure} figure
 * @param {HTMLElement} element
 * @param {(at: number | null) => void} onHover
 */
function options(figure, element, onHover) {
  const colours = palette(element);
  const font = `11px ${colours.sans}`;
  const axis = { stroke: colours.faint, font, grid: { stroke: colours.line, width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth, height: HEIGHT, legend: { show: false },
    tzDate: (/** @type {number} */ stamp) => uPlot.tzDate(new Date(stamp * 1000), "Etc/UTC"),
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
    hooks: { setCursor: [(/** @type {any} */ plot) => onHover(plot.cursor.idx ?? null)] },
    scales: { x: { range: (/** @type {any} */ _plot, /** @type {number} */ first, /** @type {number} */ last) => [first - HALF_DAY, last + HALF_DAY] }, y: { range: (/** @type {any} */ _plot, /** @type {number} */ _low, /** @type {number} */ high) => [0, figure.unit === "share" ? 1 : Math.max(high || 0, figure.unit === "count" ? 4 : 1) * 1.08] } },
    axes: [
      { ...axis, grid: { show: false }, space: 64, size: 24, values: [[86_400, "{D} {MMM}", null, null, null, null, null, null, 1]] },
      { ...axis, size: 52, space: 36, incrs: STEPS[figure.unit],
        values: (/** @type {any} */ _plot, /** @type {number[]} */ splits) => splits.map((value) => written(value, figure.unit)) },
    ],
    series: [{}, ...order(figure).map(({ series }) => ({
      label: series.name, stroke: colours.of(series.tone), width: series.form === "line" ? 1.75 : 0, spanGaps: true,
      dash: series.pattern === "dash" ? [5, 4] : undefined,
      fill: series.form === "bars" ? fillOf(series, colours) : undefined,
      paths: series.form === "bars" ? uPlot.paths.bars({ size: [0.72, 28], radius: 0.12 }) : uPlot.paths.linear(),
      points: { show: series.form === "line" && figure.days.length <= 31, size: 4 },
    }))],
  };
}
