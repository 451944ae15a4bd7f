/** The form that adds a webhook, and the secret that is shown once. */

import { post } from "../api.js";
import { html, useState } from "../html.js";
import { Button, Copy, ProblemNote, Text } from "../ui/index.js";

/** Name of the argument, label, explanation. */
const FILTERS = /** @type {[string, string, string][]} */ ([
  ["kinds", "Kinds of entry", "such as approval_requested, with commas"],
  ["execution_id", "Execution", "ex_…"],
  ["task_id", "Task", ""],
  ["tool", "Tool", ""],
  ["actor", "Actor", "an agent or a person"],
]);

/** @typedef {{name: string, secret?: string, notes?: string[]}} Made */

/** @param {{onDone: () => void}} props */
export function AddForm({ onDone }) {
  const [fields, setFields] = useState(/** @type {Record<string, string>} */ ({}));
  const [needsPerson, setNeedsPerson] = useState(false);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [made, setMade] = useState(/** @type {Made | null} */ (null));
  if (made) return html`<${Secret} made=${made} onDone=${onDone} />`;

  const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ hint, /** @type {any} */ more = {}) => html`
    <label class="field" key=${name}><span>${label} ${hint && html`<span class="faint">${hint}</span>`}</span>
      <input value=${fields[name] || ""} aria-invalid=${problem?.field === name ? "true" : null} spellcheck="false" autocomplete="off" ...${more}
        onInput=${(/** @type {any} */ event) => setFields({ ...fields, [name]: event.target.value })} /></label>`;
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = Object.entries(fields).map(([name, value]) => [name, value.trim()]).filter(([, value]) => value);
    const { kinds, ...body } = Object.fromEntries(given);
    if (kinds) body.kinds = kinds.split(/[,\s]+/).filter(Boolean);
    if (needsPerson) body.needs_person = true;
    await post("/v1/webhooks", body).then(setMade, setProblem);
  };
  return html`<form class="webhook-form" onSubmit=${send}>
    ${field("name", "Name", "small letters, digits, dots and dashes", { required: true })}
    ${field("address", "Address", "https://…", { required: true, type: "url" })}
    <label class="check"><input type="checkbox" checked=${needsPerson} onChange=${(/** @type {any} */ event) => setNeedsPerson(event.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${FILTERS.map(([name, label, hint]) => field(name, label, hint))}</details>
    <${ProblemNote} problem=${problem} />
    <${Button} kind="primary" type="submit">Add it<//>
  </form>`;
}

/**
 * The secret of a new webhook, or of one that was rotated. The server does not show it again.
 * @param {{made: Made, onDone: () => void}} props
 */
export function Secret({ made, onDone }) {
  return html`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${made.secret}</code><${Copy} text=${made.secret || ""} what="the secret" /></p>
    ${(made.notes || []).map((note) => html`<p class="warning-note"><${Text} text=${note} /></p>`)}
    <${Button} kind="primary" onClick=${onDone}>Done<//>
  </div>`;
}
