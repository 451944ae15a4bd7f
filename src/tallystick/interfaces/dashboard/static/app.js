/** The page: what is around every view, and which view belongs to which path. */

import { Fragment, html, render, useEffect, useErrorBoundary, useState } from "./html.js";
import { startKeys } from "./keys.js";
import { followAnew, startFollowing } from "./live.js";
import * as execution from "./pages/execution.js";
import * as executions from "./pages/executions.js";
import { match, startRouting, useRoute } from "./router.js";
import { Shell } from "./shell.js";
import { startSettings } from "./settings.js";
import { Loading, ProblemNote } from "./ui/index.js";

const approvals = () => import("./pages/approvals.js");

/**
 * The two main views come with the page; the others when they are first looked at.
 * Path, module of the view (it exports `Page`), title. The server knows the same paths (doors/dashboard/pages.py).
 * A view with a name behind it stays as it is while one goes between its paths: a list beside what was chosen of it.
 */
const ROUTES = /** @type {[string, () => Promise<any>, string, string?][]} */ ([
  ["/", async () => executions, "Executions"],
  ["/x/:id", async () => execution, "Execution"],
  ["/approvals", approvals, "Approvals", "approvals"],
  ["/approvals/:id", approvals, "Approvals", "approvals"],
  ["/context", () => import("./pages/context.js"), "Context"],
  ["/plans", () => import("./pages/plans.js"), "Plans"],
  ["/plans/:id", () => import("./pages/plan.js"), "Plan"],
  ["/compare", () => import("./pages/compare.js"), "Compare"],
  ["/stats", () => import("./pages/stats.js"), "Stats"],
  ["/replay/:id", () => import("./pages/replay.js"), "Replay"],
  ["/import", () => import("./pages/import.js"), "Import"],
]);

const NOWHERE = { module: () => import("./pages/not_found.js"), params: {}, title: "Nothing here", stays: "" };

/** @param {string} path */
function routed(path) {
  for (const [pattern, module, title, stays] of ROUTES) {
    const params = match(pattern, path);
    if (params) return { module, params, title, stays };
  }
  return NOWHERE;
}

function App() {
  const { path, query } = useRoute();
  const { module, params, title, stays } = routed(path);
  const [view, setView] = useState(/** @type {any} */ (null));
  const looked = query.get("journal") || "";
  useEffect(() => {
    document.title = `${title} · Tallystick`;
    module().then(
      (found) => setView({ module, Page: found.Page }),
      () => setView({ module, Page: Unloaded }),
    );
  }, [module]);
  useEffect(() => followAnew(), [looked]);
  return html`<${Shell} path=${path}>
    <${Guarded} key=${(stays || path) + looked}>
      ${view?.module === module ? html`<${view.Page} ...${params} query=${query} />` : html`<${Loading} />`}
    </${Guarded}>
  </${Shell}>`;
}

/** A view whose module did not come: the server was away. A browser does not ask for it twice, so the page does. */
function Unloaded() {
  const problem = { message: "This view could not be loaded.", hint: "Is the server still running?" };
  return html`<div class="page"><${ProblemNote} problem=${problem} retry=${() => location.reload()} /></div>`;
}

/** @param {{children?: any}} props */
function Guarded({ children }) {
  const [problem, forget] = useErrorBoundary((error) => console.error(error));
  if (problem) return html`<${ProblemNote} problem=${{ message: "This view broke.", hint: String(problem) }} retry=${forget} />`;
  return html`<${Fragment}>${children}</${Fragment}>`;
}

startSettings();
startRouting();
startFollowing();
startKeys();
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
