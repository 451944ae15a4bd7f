/** Exports: one is read into memory and looked at as a journal of its own; this one is taken along as a file. */

import { post } from "../api.js";
import { downloadJournal } from "../exports/journal.js";
import { html, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { journal } from "../router.js";
import { useSession } from "../session.js";
import { Button, ButtonLink, Facts, Panel, ProblemNote } from "../ui/index.js";

const LARGEST = 32 * 1024 * 1024;
/** Bytes: the bound of the server (server/imports.py), told before a large file is sent in vain. */

/** @typedef {{journal: string, entries: number, verified: boolean, problem?: string}} Read */

export function Page() {
  const [state, setState] = useState(/** @type {{name: string, busy: boolean, read: Read | null, problem: any}} */ ({ name: "", busy: false, read: null, problem: null }));
  const [over, setOver] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));

  const take = async (/** @type {File | undefined | null} */ file) => {
    if (!file) return;
    setState({ name: file.name, busy: true, read: null, problem: null });
    const told = await send(file).then((read) => ({ read, problem: null }), (problem) => ({ read: null, problem }));
    setState({ name: file.name, busy: false, ...told });
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer?.files[0]);
  };
  return html`<div class="page import">
    <div class="page-head"><h1>Look at an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a whole journal, as <code>tallystick export</code> or the button below writes it, or of one
      execution, as its page does. It is verified as far as it can be, stays in the server’s memory for a while, and only you see it. The journal that is served here is not touched.</p>
    <div class=${`drop ${over ? "is-over" : ""}`} onDragOver=${(/** @type {DragEvent} */ event) => (event.preventDefault(), setOver(true))} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <${Icon} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${Button} kind="primary" disabled=${state.busy} onClick=${() => input.current?.click()}>Choose a file<//>
      <input ref=${input} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${(/** @type {any} */ event) => (void take(event.target.files[0]), (event.target.value = ""))} />
    </div>
    <p role="status" class="soft">${state.busy ? `Reading ${state.name}…` : ""}</p>
    <${ProblemNote} problem=${state.problem} />
    ${state.read && html`<${Result} name=${state.name} read=${state.read} />`}
    <${TakeAlong} />
  </div>`;
}

/** The journal that is looked at, as a file to keep, to verify or to look at elsewhere. */
function TakeAlong() {
  const session = useSession();
  const [told, setTold] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const name = journal() || session.journal || "journal";
  const take = async () => {
    setProblem(null);
    await downloadJournal(name, (entries) => setTold(`Read ${entries} entries…`)).then(() => setTold("The file is on its way to you."), (wrong) => (setTold(""), setProblem(wrong)));
  };
  return html`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Take this journal along</h2>
    <p class="soft import-lead">Every entry of <code>${name}</code>, exactly as it is kept. Whoever has the file can verify it
      with <code>tallystick verify --file ${name}.jsonl</code>, or with nothing but Python.</p>
    <${Button} icon="export" onClick=${take}>Export the whole journal<//>
    <p role="status" class="soft">${told}</p>
    <${ProblemNote} problem=${problem} />
  </section>`;
}

/**
 * @param {File} file
 * @returns {Promise<Read>}
 */
async function send(file) {
  if (file.size > LARGEST) throw Object.assign(new Error(`${file.name} is larger than ${LARGEST / 1024 / 1024} MB.`), { hint: "Export less, for example one execution." });
  return post("/v1/imports", await file.text());
}

/** @param {{name: string, read: Read}} props */
function Result({ name, read }) {
  return html`<${Panel} title=${name}>
    <div class="import-result">
      ${read.verified
        ? html`<p class="import-good"><${Icon} name="completed" /> The chain holds, from the first entry to the last in this file. Whether more came after it, or all of it was written anew, only a head that was kept elsewhere tells.</p>`
        : html`<p class="told"><${Icon} name="warning" /> It does not verify: ${(read.problem || "the chain is broken").replace(/\.$/, "")}. What can be read is shown all the same; do not rely on it.</p>`}
      <${Facts} rows=${[["entries", html`<span class="num">${read.entries}</span>`], ["shown as", html`<code>${read.journal}</code>`]]} />
      <${ButtonLink} kind="primary" icon="executions" href=${`/?journal=${encodeURIComponent(read.journal)}`}>Look at it<//>
    </div>
  <//>`;
}
