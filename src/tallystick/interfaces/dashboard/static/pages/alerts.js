/** The page Alerts: what somebody should look at now, and a way to silence it for a while. */

import { get, post } from "../api.js";
import { CredentialForm } from "../approvals/credential.js";
import { html, useEffect, useState } from "../html.js";
import { useLive } from "../live.js";
import { journal, link } from "../router.js";
import { useSession } from "../session.js";
import { Button, Dialog, Empty, Loading, Panel, ProblemNote, Text, Time, say } from "../ui/index.js";

const NAMES = /** @type {Record<string, string>} */ ({
  question_waits: "A question waits",
  in_doubt: "In doubt",
  interrupted: "Interrupted",
  run_held: "A run is held",
  run_failed: "A run failed",
  undo_expires: "An undo expires",
  undo_left: "Not undone",
  hook_silent: "Hooks are silent",
  tool_failing: "A tool fails more than usual",
  step_slow: "A step takes long",
  verify_failed: "Verification failed",
});
const SILENCE = "8h";
const RELOAD_MILLISECONDS = 30_000;
/** Time alone makes an alert: a question that waits for too long. */

/** @typedef {import("../types.js").Alert} Alert */

export function Page() {
  const { data, problem, reload } = useLive({ by: [journal()] }, (signal) => get("/v1/alerts", { limit: 100 }, { signal }));
  const [chosen, choose] = useState(/** @type {Alert | null} */ (null));
  const alerts = data?.alerts ?? [];
  useEffect(() => {
    const timer = setInterval(reload, RELOAD_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  return html`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${ProblemNote} problem=${problem} retry=${reload} />
    ${!data
      ? !problem && html`<${Loading} />`
      : alerts.length
        ? html`<${Panel} flush><${Rows} alerts=${alerts} onSilence=${choose} /><//>
            ${data.more?.length ? html`<p class="soft">There are more of: ${data.more.map((/** @type {string} */ rule) => NAMES[rule]).join(", ")}.</p>` : null}`
        : html`<${Panel}><${Empty} icon="check" title="No alerts." /><//>`}
    ${chosen && html`<${Silence} alert=${chosen} onClose=${() => choose(null)} onDone=${() => (choose(null), reload())} />`}
  </div>`;
}

/** @param {Alert} alert the page about what an alert names */
function target(alert) {
  if (alert.rule === "question_waits") return link(`/approvals/${alert.about}`);
  return alert.execution_id ? link(`/x/${alert.execution_id}`) : "";
}

/** @param {{alerts: Alert[], onSilence: (alert: Alert) => void}} props */
function Rows({ alerts, onSilence }) {
  return html`<ul class="alerts" aria-label="Alerts">
    ${alerts.map((alert) => html`<li key=${`${alert.rule}/${alert.about}`}>
      <div>
        <p><strong>${NAMES[alert.rule]}</strong> · <span class="soft">since <${Time} at=${alert.since} />${alert.who ? html`, <${Text} text=${alert.who} />` : null}</span></p>
        <p>${target(alert) ? html`<a href=${target(alert)}><${Text} text=${alert.text} /></a>` : html`<${Text} text=${alert.text} />`}</p>
        <p class="soft"><${Text} text=${[alert.title, alert.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${alert.silenced
        ? html`<span class="soft">silenced until <${Time} at=${alert.silenced} /></span>`
        : html`<${Button} onClick=${() => onSilence(alert)}>Silence<//>`}
    </li>`)}
  </ul>`;
}

/** @param {{alert: Alert, onClose: () => void, onDone: () => void}} props */
function Silence({ alert, onClose, onDone }) {
  const session = useSession();
  const [why, setWhy] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await post("/v1/alerts/silences", { rule: alert.rule, about: alert.about, until: SILENCE, why }).then(
      () => (say(`Silenced for ${SILENCE}.`, "ok"), onDone()),
      setProblem,
    );
  };
  return html`<${Dialog} title="Silence this alert" onClose=${onClose}>
    <p><${Text} text=${alert.text} /></p>
    ${session?.may_decide
      ? html`<form onSubmit=${send}>
          <label class="field"><span>Why no messages for ${SILENCE}</span>
            <input value=${why} required onInput=${(/** @type {any} */ event) => setWhy(event.target.value)} /></label>
          <${ProblemNote} problem=${problem} />
          <${Button} kind="primary" type="submit" disabled=${!why.trim()}>Silence for ${SILENCE}<//>
        </form>`
      : html`<${CredentialForm} />`}
  <//>`;
}
