/** The tab Coverage: how complete the record of an execution is. */

import { html } from "../html.js";
import { Badge, Empty, Facts, Panel, Time } from "../ui/index.js";

/** @param {{coverage: any}} props */
export function CoverageTab({ coverage }) {
  if (!coverage) return html`<${Empty} title="No coverage is known." />`;
  return html`<div class="coverage-tab">
    <${Panel} title="Recorded actions">
      <div class="seen-figures">
        <${Figure} value=${coverage.begun} word="begun" />
        <${Figure} value=${coverage.ended} word="finished" />
        <${Figure} value=${coverage.open || 0} word="without an end" />
        <${Figure} value=${coverage.unplanned || 0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last worked on ${coverage.silent_for} ago.</p>
      ${coverage.unobserved_client && html`<p class="warn">No events from the hooks of ${coverage.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${coverage.spool_behind ? html`<p class="warn">${coverage.spool_behind} bytes of hook events are not in the journal yet.</p>` : null}
    </${Panel}>
    <${Panel} title="Observers">
      ${coverage.observers?.length
        ? coverage.observers.map(
            (/** @type {any} */ each) => html`<div class="observer" key=${each.session}>
              <${Facts}
                rows=${[
                  ["client", html`${each.client} ${each.silent ? html`<${Badge} tone="failed" icon="warning">silent</${Badge}>` : each.alive === false ? html`<${Badge} tone="idle">ended</${Badge}>` : html`<${Badge} tone="ok" icon="observed">active</${Badge}>`}`],
                  ["session", html`<code>${each.session}</code>`],
                  ["conversation", each.conversation],
                  ["last event", html`<${Time} at=${each.last_event} />`],
                ]}
              />
            </div>`,
          )
        : html`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${Panel}>
  </div>`;
}

/** @param {{value: number, word: string}} props */
function Figure({ value, word }) {
  return html`<p class="seen-figure"><strong>${value ?? 0}</strong><span>${word}</span></p>`;
}
