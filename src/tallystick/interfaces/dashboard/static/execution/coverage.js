/** How complete the record is, said by the journal itself. */

import { html } from "../html.js";
import { Badge, Empty, Facts, Panel, Time } from "../ui/index.js";

/** @param {{coverage: any, lines: any[]}} props */
export function CoverageTab({ coverage, lines }) {
  if (!coverage) return html`<${Empty} title="Nothing is known about it." />`;
  const observed = lines.filter((line) => line.witness === "observed").length;
  return html`<div class="coverage-tab">
    <${Panel} title="What was seen">
      <div class="seen-figures">
        <${Figure} value=${coverage.begun} word="calls begun" />
        <${Figure} value=${coverage.ended} word="seen ended" />
        <${Figure} value=${coverage.open || 0} word="without an end" />
        <${Figure} value=${coverage.unplanned || 0} word="fit no step" />
        <${Figure} value=${observed} word="observed" />
        <${Figure} value=${lines.length - observed} word="claimed" />
      </div>
      <p class="soft">Observed was seen by a hook, a gateway or a runner. Claimed is what the agent said. Nothing was heard for ${coverage.silent_for}.</p>
      ${coverage.unwatched && html`<p class="warn">${coverage.unwatched} was watched before, and no hook was heard in this conversation.</p>`}
      ${coverage.spool_behind ? html`<p class="warn">${coverage.spool_behind} bytes that hooks have seen are not in the journal yet.</p>` : null}
    </${Panel}>
    <${Panel} title="Who watches">
      ${coverage.observers?.length
        ? coverage.observers.map(
            (/** @type {any} */ each) => html`<div class="observer" key=${each.session}>
              <${Facts}
                rows=${[
                  ["client", html`${each.client} ${each.silent ? html`<${Badge} tone="failed" icon="warning">silent</${Badge}>` : each.alive === false ? html`<${Badge} tone="idle">over</${Badge}>` : html`<${Badge} tone="ok" icon="observed">heard</${Badge}>`}`],
                  ["session", html`<code>${each.session}</code>`],
                  ["conversation", each.conversation],
                  ["last heard", html`<${Time} at=${each.heard} />`],
                ]}
              />
            </div>`,
          )
        : html`<p>No hook, gateway or adapter watches the agent of this execution: everything here is what the agent said. <code>tallystick setup</code> changes that.</p>`}
    </${Panel}>
  </div>`;
}

/** @param {{value: number, word: string}} props */
function Figure({ value, word }) {
  return html`<p class="seen-figure"><strong>${value ?? 0}</strong><span>${word}</span></p>`;
}
