/** Starts the page, and chooses the view for each path. */

import { Fragment, html, render, useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from "./html.js";
import { removeDrafts } from "./drafts.js";
import { startFocusKeeper } from "./focus_keeper.js";
import { startKeys } from "./keys.js";
import { restartStream, startStream, useEntries } from "./live.js";
import * as execution from "./pages/execution.js";
import * as home from "./pages/home.js";
import { setTitle } from "./page_title.js";
import { match, startRouting, useRoute } from "./router.js";
import { refreshSession } from "./session.js";
import { Shell } from "./shell.js";
import { startSettings } from "./settings.js";
import { Loading, ProblemNote } from "./ui/index.js";

const approvals = () => import("./pages/approvals.js");

/**
 * Path, module of the view (it exports `Page`), title, and an optional key. The server has the same paths (`PATHS` in
 * interfaces/dashboard/routes.py). The two main views load with the page, the others when they are first opened.
 * A view with a key keeps its state between its paths: a list beside the chosen item.
 */
const ROUTES = /** @type {[string, () => Promise<any>, string, string?][]} */ ([
  ["/", async () => home, "Home"],
  ["/executions", () => import("./pages/executions.js"), "Executions"],
  ["/x/:id", async () => execution, "Execution"],
  ["/approvals", approvals, "Approvals", "approvals"],
  ["/approvals/:id", approvals, "Approvals", "approvals"],
  ["/alerts", () => import("./pages/alerts.js"), "Alerts"],
  ["/webhooks", () => import("./pages/webhooks.js"), "Webhooks"],
  ["/context", () => import("./pages/context.js"), "Context"],
  ["/plans", () => import("./pages/plans.js"), "Plans"],
  ["/plans/:id", () => import("./pages/plan.js"), "Plan"],
  ["/compare", () => import("./pages/compare.js"), "Compare"],
  ["/stats", () => import("./pages/stats.js"), "Stats"],
  ["/replay/:id", () => import("./pages/replay.js"), "Replay"],
  ["/import", () => import("./pages/import.js"), "Import"],
]);

const NOT_FOUND = { module: () => import("./pages/not_found.js"), params: {}, title: "Not found", pageKey: "" };

/** @param {string} path */
function matchRoute(path) {
  for (const [pattern, module, title, pageKey] of ROUTES) {
    const params = match(pattern, path);
    if (params) return { module, params, title, pageKey };
  }
  return NOT_FOUND;
}

function App() {
  const { path, query } = useRoute();
  const { module, params, title, pageKey } = matchRoute(path);
  const [view, setView] = useState(/** @type {any} */ (null));
  const journalName = query.get("journal") || "";
  useLayoutEffect(() => { // not after the first paint: the view sends the first requests
    setTitle(title);
    let left = false; // a slow module must not replace the view that was opened since
    module().then(
      (found) => left || setView({ module, Page: found.Page }),
      () => left || setView({ module, Page: LoadFailed }),
    );
    return () => void (left = true);
  }, [module]);
  useEffect(() => restartStream(), [journalName]);
  const connections = useRef(0);
  useEntries((entry) => {
    // After a restart of the server the login may be gone.
    if (entry === null && (connections.current += 1) > 1) void refreshSession();
  });
  return html`<${Shell} path=${path}>
    <${ErrorBoundary} key=${(pageKey || path) + journalName}>
      ${view?.module === module ? html`<${view.Page} ...${params} query=${query} />` : html`<${Loading} />`}
    </${ErrorBoundary}>
  </${Shell}>`;
}

/** Shown when a module could not be loaded. A browser does not request it twice, so the page is reloaded. */
function LoadFailed() {
  const problem = { message: "This view could not be loaded.", hint: "Is the server still running?" };
  return html`<div class="page"><${ProblemNote} problem=${problem} retry=${() => location.reload()} /></div>`;
}

/** @param {{children?: any}} props */
function ErrorBoundary({ children }) {
  const [problem, forget] = useErrorBoundary((error) => console.error(error));
  if (problem) return html`<${ProblemNote} problem=${{ message: "This view failed.", hint: String(problem) }} retry=${forget} />`;
  return html`<${Fragment}>${children}</${Fragment}>`;
}

startSettings();
removeDrafts();
startRouting();
startStream();
startKeys();
startFocusKeeper();
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
