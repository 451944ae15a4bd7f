/** Loads a large library when a view first needs it. */

import { useEffect, useState } from "./html.js";

/** Lays out graphs. */
export const dagre = () => import("./vendor/dagre.js");

/** Draws charts. */
export const uPlot = () => import("./vendor/uplot.js").then((loaded) => loaded.default);

/**
 * The library; null until it is loaded. If it cannot be loaded, the view fails with the reason.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {T | null}
 */
export function useLibrary(load) {
  const [state, set] = useState(/** @type {{library: T | null, problem: unknown}} */ ({ library: null, problem: null }));
  useEffect(() => {
    load().then((library) => set({ library, problem: null }), (problem) => set({ library: null, problem }));
  }, [load]);
  if (state.problem) throw state.problem;
  return state.library;
}
