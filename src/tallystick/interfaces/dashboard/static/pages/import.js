/** The page Import: opens an exported file as a journal in memory, and exports the current journal. */

import { post } from "../api.js";
import { downloadJournal } from "../exports/journal.js";
import { html, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { journal } from "../router.js";
import { useSession } from "../session.js";
import { Button, ButtonLink, Facts, Panel, ProblemNote } from "../ui/index.js";

const MAX_BYTES = 32 * 1024 * 1024;
/** The limit of the server (server/imports.py), checked before a large file is sent in vain. */

/** @typedef {{journal: string, entries: number, verified: boolean, problem?: string}} Read */

export function Page() {
  const [state, setState] = useState(/** @type {{name: string, busy: boolean, read: Read | null, problem: any}} */ ({ name: "", busy: false, read: null, problem: null }));
  const [over, setOver] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));

  const take = async (/** @type {File | undefined | null} */ file) => {
    if (!file) return;
    setState({ name: file.name, busy: true, read: null, problem: null });
    const outcome = await send(file).then((read) => ({ read, problem: null }), (problem) => ({ read: null, problem }));
    setState({ name: file.name, busy: false, ...outcome });
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer?.files[0]);
  };
  return html`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
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
    <${ExportJournal} />
  </div>`;
}

/** Exports the current journal as a file. */
function ExportJournal() {
  const session = useSession();
  const [progress, setProgress] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const name = journal() || session.journal || "journal";
  const take = async () => {
    setProblem(null);
    await downloadJournal(name, (entries) => setProgress(`Read ${entries} entries…`)).then(() => setProgress("The download has started."), (wrong) => (setProgress(""), setProblem(wrong)));
  };
  return html`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${name}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${name}.jsonl</code>, or with Python alone.</p>
    <${Button} icon="export" onClick=${take}>Export the whole journal<//>
    <p role="status" class="soft">${progress}</p>
    <${ProblemNote} problem=${problem} />
  </section>`;
}

/**
 * @param {File} file
 * @returns {Promise<Read>}
 */
async function send(file) {
  if (file.size > MAX_BYTES) throw Object.assign(new Error(`${file.name} is larger than ${MAX_BYTES / 1024 / 1024} MB.`), { hint: "Export less, for example one execution." });
  return post("/v1/imports", await file.text());
}

/** @param {{name: string, read: Read}} props */
function Result({ name, read }) {
  return html`<${Panel} title=${name}>
    <div class="import-result">
      ${read.verified
        ? html`<p class="import-good"><${Icon} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`
        : html`<p class="warning-note"><${Icon} name="warning" /> It does not verify: ${(read.problem || "the chain is broken").replace(/\.$/, "")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Facts} rows=${[["entries", html`<span class="num">${read.entries}</span>`], ["shown as", html`<code>${read.journal}</code>`]]} />
      <${ButtonLink} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(read.journal)}`}>Open it<//>
    </div>
  <//>`;
}
