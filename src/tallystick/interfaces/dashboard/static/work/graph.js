/** The steps of a plan as a graph: what comes after what, how long each took, and the critical path. It fits and zooms. */

import { html, names, useEffect, useMemo, useState } from "../html.js";
import { dagre, useLibrary } from "../lazy.js";
import { Button, Empty, Loading, state, visibleText } from "../ui/index.js";
import { tookOf } from "./row.js";
import { useWidth } from "./zoom.js";

/** @typedef {import("./rows.js").Row} Row */

const WIDTH = 216;
const HEIGHT = 46;
const MAX_LETTERS = 27;
const MAX_STEPS = 400;
/** More steps are no picture any more, and take seconds to lay out. */
const LEGIBLE = 0.7;
/** A graph that would have to be smaller than this to fit runs from top to bottom; and then it scrolls. */

/** @param {{work: ReturnType<typeof import("./rows.js").useWork>, selected: string, onStep: (id: string) => void}} props */
export function GraphView({ work, selected, onStep }) {
  const [box, width] = useWidth();
  const [zoom, setZoom] = useState(0);
  const steps = work.rows.filter((row) => row.kind === "step" && row.depth === 0);
  const isLoaded = work.complete || work.rows.length > steps.length;
  const tooMany = steps.length > MAX_STEPS;
  useEffect(() => {
    if (!isLoaded && !tooMany && !work.problem) work.more();
  });
  const shape = tooMany || !isLoaded ? "" : steps.map((step) => `${step.id} ${(step.after || []).join()}`).join("|");
  const library = useLibrary(dagre);
  const drawn = useMemo(() => (library && shape && width ? fitted(library, steps, width) : null), [library, shape, width]);
  const fit = drawn ? Math.min(1, Math.max(LEGIBLE, width / drawn.width)) : 1;
  const scale = zoom || fit;
  const critical = useMemo(() => criticalPath(steps), [shape, work.rows]);
  const by = new Map(steps.map((step) => [step.id, step]));
  return html`<div class="graph-view" ref=${box}>
    ${tooMany
      ? html`<${Empty} icon="graph" title=${`The plan has more than ${MAX_STEPS} steps.`}>They are listed under Plan.</${Empty}>`
      : !drawn
        ? !isLoaded || shape ? html`<${Loading} what="Loading the steps" />` : html`<${Empty} icon="graph" title="Ad hoc: there is no plan to draw." />`
        : html`
    <div class="graph-tools"><span class="soft">${critical.size > 1 ? html`<span class="critical-key" aria-hidden="true" /> critical path` : null}</span>
      <span class="work-zoom"><${Button} kind="ghost" icon="zoomout" label="Zoom out" onClick=${() => setZoom(Math.max(0.25, scale / 1.3))} /><${Button} kind="ghost" icon="zoomin" label="Zoom in" onClick=${() => setZoom(Math.min(2.5, scale * 1.3))} /><${Button} kind="ghost" icon="fit" label="Fit" onClick=${() => setZoom(0)} disabled=${!zoom} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil(drawn.width * scale)} height=${Math.ceil(drawn.height * scale)} viewBox=${`0 0 ${drawn.width} ${drawn.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${drawn.edges.map((edge) => html`<path class=${names("edge", critical.has(edge.from) && critical.get(edge.from) === edge.to && "edge-critical")} d=${edge.path} marker-end="url(#arrow)" />`)}
        ${drawn.nodes.map(({ id, x, y }) => by.has(id) && html`<${Node} key=${id} step=${by.get(id)} x=${x} y=${y} on=${selected === id} critical=${critical.has(id)} onStep=${onStep} />`)}
      </svg>
    </div>`}
  </div>`;
}

/** @param {{step: Row, x: number, y: number, on: boolean, critical: boolean, onStep: (id: string) => void}} props */
function Node({ step, x, y, on, critical, onStep }) {
  const { tone, word } = state(step.state);
  const title = visibleText(step.summary || step.id);
  const shown = title.length > MAX_LETTERS ? `${title.slice(0, MAX_LETTERS - 1).trimEnd()}…` : title;
  const attempts = step.attempts || 0;
  const more = [word, tookOf(step), attempts > 1 && `${attempts} attempts`, step.cancellable === "irreversible" && "irreversible"].filter(Boolean).join(", ");
  const go = () => onStep(step.id);
  return html`<g class=${names("node", `tone-${tone}`, step.state === "in_doubt" && "node-doubt", step.state === "planned" && "node-planned", on && "node-on", critical && "node-critical")} role="button" tabindex="0" aria-label=${`${shown} ${more}${critical ? ", on the critical path" : ""}`} aria-pressed=${String(on)} onClick=${go} onKeyDown=${(/** @type {KeyboardEvent} */ event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), go())}>
    <title>${title}</title>
    <rect x=${x - WIDTH / 2} y=${y - HEIGHT / 2} width=${WIDTH} height=${HEIGHT} rx="3" />
    <rect class="node-edge" x=${x - WIDTH / 2} y=${y - HEIGHT / 2} width="4" height=${HEIGHT} rx="1" />
    <text class="node-title" x=${x - WIDTH / 2 + 14} y=${y - 3}>${shown}${" "}</text>
    <text class="node-state" x=${x - WIDTH / 2 + 14} y=${y + 13}>${more}</text>
  </g>`;
}

/** @typedef {typeof import("../vendor/dagre.js")} Dagre */

/** From left to right if that fits. @param {Dagre} library @param {Row[]} steps @param {number} width */
function fitted(library, steps, width) {
  const across = layoutOf(library, steps, true);
  return width / across.width >= LEGIBLE ? across : layoutOf(library, steps, false);
}

/**
 * @param {Dagre} library
 * @param {Row[]} steps
 * @param {boolean} across from left to right; else from top to bottom
 */
function layoutOf({ Graph, layout }, steps, across) {
  const graph = new Graph();
  graph.setGraph({ rankdir: across ? "LR" : "TB", nodesep: 18, ranksep: across ? 44 : 28, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const step of steps) graph.setNode(step.id, { width: WIDTH, height: HEIGHT });
  for (const [from, to] of edgesOf(steps)) if (graph.hasNode(from)) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: graph.nodes().map((/** @type {string} */ id) => ({ id, ...graph.node(id) })),
    edges: graph.edges().map((/** @type {any} */ edge) => ({
      from: edge.v,
      to: edge.w,
      path: curve(graph.node(edge.v), graph.node(edge.w), graph.edge(edge).points.slice(1, -1), across),
    })),
  };
}

/**
 * With no `after` anywhere, steps run in the order in which they are written.
 * @param {Row[]} steps
 * @returns {[string, string][]}
 */
export function edgesOf(steps) {
  if (steps.some((step) => step.after?.length)) return steps.flatMap((step) => (step.after || []).map((from) => /** @type {[string, string]} */ ([from, step.id])));
  return steps.slice(1).map((step, index) => [steps[index].id, step.id]);
}

/**
 * The longest way through the plan by duration, or by estimate of what has none yet: each step with the next one.
 * @param {Row[]} steps
 * @returns {Map<string, string>}
 */
export function criticalPath(steps) {
  const before = /** @type {Map<string, string[]>} */ (new Map());
  for (const [from, to] of edgesOf(steps)) before.set(to, [...(before.get(to) || []), from]);
  const by = new Map(steps.map((step) => [step.id, step]));
  /** @type {Map<string, {length: number, from: string}>} */
  const longest = new Map();
  const seen = new Set();
  const visit = (/** @type {string} */ id) => {
    if (longest.has(id) || seen.has(id)) return;
    seen.add(id);
    const froms = (before.get(id) || []).filter((from) => by.has(from));
    froms.forEach(visit);
    const best = froms.reduce((found, from) => ((longest.get(from)?.length ?? 0) > (longest.get(found)?.length ?? -1) ? from : found), "");
    longest.set(id, { length: secondsOf(/** @type {Row} */ (by.get(id))) + (longest.get(best)?.length ?? 0), from: best });
  };
  steps.forEach((step) => visit(step.id));
  const [last, reached] = [...longest].reduce((found, each) => (each[1].length > found[1].length ? each : found), ["", { length: 0, from: "" }]);
  const path = /** @type {Map<string, string>} */ (new Map());
  for (let id = last, next = "", from = reached.from; id; [next, id, from] = [id, from, longest.get(from)?.from ?? ""]) path.set(id, next);
  return path;
}

/** @param {Row} step */
function secondsOf(step) {
  if (step.begun && step.ended && !step.lost) return Math.max(0, Date.parse(step.ended) - Date.parse(step.begun)) / 1000;
  return Number(step.estimate) || 0;
}

/**
 * A curve from the far edge of one step to the near edge of another, through the points of the layout.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {{x: number, y: number}[]} between
 * @param {boolean} across
 */
function curve(from, to, between, across) {
  const [dx, dy] = across ? [WIDTH / 2, 0] : [0, HEIGHT / 2];
  const start = { x: from.x + dx, y: from.y + dy };
  const end = { x: to.x - dx, y: to.y - dy };
  const isFar = across ? end.x - start.x > WIDTH : end.y - start.y > HEIGHT;
  const stops = [start, ...(isFar ? between : []), end];
  return stops.slice(1).reduce((path, stop, index) => {
    const before = stops[index];
    const [bx, by] = across ? [(stop.x - before.x) / 2, 0] : [0, (stop.y - before.y) / 2];
    return `${path}C${before.x + bx} ${before.y + by} ${stop.x - bx} ${stop.y - by} ${stop.x} ${stop.y}`;
  }, `M${start.x} ${start.y}`);
}
