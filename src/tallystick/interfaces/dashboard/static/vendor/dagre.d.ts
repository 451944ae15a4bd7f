/** What the page uses of dagre. */
export class Graph {
  setGraph(label: Record<string, unknown>): void;
  setDefaultEdgeLabel(make: () => object): void;
  setNode(id: string, label: object): void;
  setEdge(from: string, to: string): void;
  hasNode(id: string): boolean;
  graph(): { width?: number; height?: number };
  nodes(): string[];
  node(id: string): { x: number; y: number };
  edges(): { v: string; w: string }[];
  edge(edge: { v: string; w: string }): { points: { x: number; y: number }[] };
}
export function layout(graph: Graph): void;
