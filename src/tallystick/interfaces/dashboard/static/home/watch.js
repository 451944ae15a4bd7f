/** Alerts that nobody has to act on at once: a tool that fails, hooks that fell silent, a run that failed. */

import { get } from "../api.js";
import { html, useEffect } from "../html.js";
import { useLive } from "../live.js";
import { journal, link } from "../router.js";
import { Badge, Text, Time } from "../ui/index.js";

const RELOAD_MILLISECONDS = 60_000;
export const NAMES = /** @type {Record<string, string>} */ ({
  verify_failed: "Verification failed",
  hook_silent: "Hooks are silent",
  run_failed: "A run failed",
  tool_failing: "A tool fails more than usual",
  step_slow: "A step takes long",
});

export function Watch() {
  const { data, reload } = useLive({ by: [journal()], kinds: ["alert_silenced", "execution_ended"] }, (signal) => get("/v1/alerts", {}, { signal }));
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), RELOAD_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  const alerts = (data?.alerts ?? []).filter((/** @type {any} */ each) => each.rule in NAMES && !each.silenced);
  if (!alerts.length) return null;
  return html`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${link("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${alerts.map((/** @type {import("../types.js").Alert} */ alert) => html`<li class="need" key=${`${alert.rule}/${alert.about}`}>
        <span class="need-kind"><${Badge} tone="failed" icon="warning">${NAMES[alert.rule]}</${Badge}></span>
        <div class="need-what">
          ${alert.execution_id
            ? html`<a class="need-link" href=${link(`/x/${alert.execution_id}`)}><${Text} text=${alert.text} /></a>`
            : html`<span class="need-link"><${Text} text=${alert.text} /></span>`}
          <p class="need-text soft"><${Text} text=${[alert.title, alert.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${Time} at=${alert.since} /></span></div>
      </li>`)}
    </ul>
  </section>`;
}
