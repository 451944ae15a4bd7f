/** The tab Graph: the steps of the plan, their dependencies and their states. */

import { html, names, useMemo } from "../html.js";
import { Graph, layout } from "../vendor/dagre.js";
import { Empty, visibleText, state } from "../ui/index.js";

const WIDTH = 188;
const HEIGHT = 46;
const MAX_LETTERS = 24;

/** @param {{steps: any[], selected: string, onStep: (id: string) => void}} props */
export function GraphTab({ steps, selected, onStep }) {
  const drawn = useMemo(() => layoutOf(steps), [steps.map((step) => `${step.id} ${(step.after || []).join()}`).join("|")]);
  if (!steps.length) return html`<${Empty} icon="graph" title="Ad hoc: there is no plan to draw." />`;
  const by = new Map(steps.map((step) => [step.id, step]));
  return html`<div class="graph panel" tabindex="0" role="region" aria-label="Graph of the plan">
    <svg width=${drawn.width} height=${drawn.height} role="group" aria-label="Steps and what each comes after">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
      </defs>
      ${drawn.edges.map((edge) => html`<path class=${names("edge", ["done", "undone"].includes(by.get(edge.from)?.actual) && "edge-done")} d=${edge.path} marker-end="url(#arrow)" />`)}
      ${drawn.nodes.map(({ id, x, y }) => {
        const step = by.get(id);
        if (!step) return null;
        const { tone, word } = state(step.actual);
        const title = visibleText(step.title || step.id);
        const shown = title.length > MAX_LETTERS ? `${title.slice(0, MAX_LETTERS - 1).trimEnd()}…` : title;
        const more = `${step.attempts > 1 ? `, ${step.attempts} attempts` : ""}${step.cancellable === "irreversible" ? ", irreversible" : ""}`;
        return html`<g key=${id} class=${names("node", `tone-${tone}`, step.actual === "in_doubt" && "node-doubt", step.actual === "planned" && "node-planned", selected === id && "node-on")} role="button" tabindex="0" aria-label=${`${shown} ${word}${more}`} aria-pressed=${String(selected === id)} onClick=${() => onStep(id)} onKeyDown=${(/** @type {KeyboardEvent} */ event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), onStep(id))}>
          <title>${title}</title>
          <rect x=${x - WIDTH / 2} y=${y - HEIGHT / 2} width=${WIDTH} height=${HEIGHT} rx="3" />
          <rect class="node-edge" x=${x - WIDTH / 2} y=${y - HEIGHT / 2} width="4" height=${HEIGHT} rx="1" />
          <text class="node-title" x=${x - WIDTH / 2 + 14} y=${y - 3}>${shown}${" "}</text>
          <text class="node-state" x=${x - WIDTH / 2 + 14} y=${y + 13}>${word}${more}</text>
        </g>`;
      })}
    </svg>
  </div>`;
}

/** @param {any[]} steps */
function layoutOf(steps) {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 44, marginx: 16, marginy: 16 });
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
      path: curve(graph.node(edge.v), graph.node(edge.w), graph.edge(edge).points.slice(1, -1)),
    })),
  };
}

/**
 * With no `after` anywhere, steps run in the order in which they are written.
 * @param {any[]} steps
 * @returns {[string, string][]}
 */
function edgesOf(steps) {
  if (steps.some((step) => step.after?.length)) return steps.flatMap((step) => (step.after || []).map((/** @type {string} */ from) => [from, step.id]));
  return steps.slice(1).map((step, index) => [steps[index].id, step.id]);
}

/**
 * A curve from the right edge of one step to the left edge of another, through the points of the layout.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {{x: number, y: number}[]} between
 */
function curve(from, to, between) {
  const start = { x: from.x + WIDTH / 2, y: from.y };
  const end = { x: to.x - WIDTH / 2, y: to.y };
  const stops = [start, ...(end.x - start.x > WIDTH ? between : []), end];
  return stops.slice(1).reduce((path, stop, index) => {
    const before = stops[index];
    const bend = (stop.x - before.x) / 2;
    return `${path}C${before.x + bend} ${before.y} ${stop.x - bend} ${stop.y} ${stop.x} ${stop.y}`;
  }, `M${start.x} ${start.y}`);
}
