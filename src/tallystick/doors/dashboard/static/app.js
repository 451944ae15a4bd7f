/** The page: what is around every view, and which view belongs to which path. */

import { Fragment, html, render, useEffect, useErrorBoundary, useState } from "./html.js";
import { followAnew } from "./live.js";
import { match, useRoute } from "./router.js";
import { Shell } from "./shell.js";
import { Loading, ProblemNote } from "./ui/index.js";

/** Path, module of the view (it exports `Page`), title. The server knows the same paths (doors/dashboard/pages.py). */
const ROUTES = /** @type {[string, () => Promise<any>, string][]} */ ([
  ["/", () => import("./pages/executions.js"), "Executions"],
  ["/x/:id", () => import("./pages/execution.js"), "Execution"],
]);

const NOWHERE = { module: () => import("./pages/nowhere.js"), params: {}, title: "Nothing here" };

/** @param {string} path */
function routed(path) {
  for (const [pattern, module, title] of ROUTES) {
    const params = match(pattern, path);
    if (params) return { module, params, title };
  }
  return NOWHERE;
}

function App() {
  const { path, query } = useRoute();
  const { module, params, title } = routed(path);
  const [view, setView] = useState(/** @type {any} */ (null));
  const looked = query.get("journal") || "";
  useEffect(() => {
    document.title = `${title} · Tallystick`;
    void module().then((found) => setView({ module, Page: found.Page }));
  }, [module]);
  useEffect(() => followAnew(), [looked]);
  return html`<${Shell} path=${path}>
    <${Guarded} key=${path + looked}>
      ${view?.module === module ? html`<${view.Page} ...${params} query=${query} />` : html`<${Loading} />`}
    </${Guarded}>
  </${Shell}>`;
}

/** @param {{children?: any}} props */
function Guarded({ children }) {
  const [problem, forget] = useErrorBoundary((error) => console.error(error));
  if (problem) return html`<${ProblemNote} problem=${{ message: "This view broke.", hint: String(problem) }} retry=${forget} />`;
  return html`<${Fragment}>${children}</${Fragment}>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
