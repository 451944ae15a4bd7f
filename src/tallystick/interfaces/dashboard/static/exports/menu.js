/** The menu to export an execution: HTML, JSONL, CSV, or Markdown for a model. */

import { get } from "../api.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { copyText, Menu, say } from "../ui/index.js";
import { download } from "./download.js";

/** Format, title and use. The last one is copied to the clipboard. */
const FORMS = /** @type {[string, string, string][]} */ ([
  ["html", "HTML file", "one file that opens without a server"],
  ["jsonl", "JSONL", "one entry per line, for programs"],
  ["csv", "CSV", "one entry per row, for a spreadsheet"],
  ["markdown", "Copy for a model", "Markdown on the clipboard, values fenced as data"],
]);

/** @param {{execution: string, end?: boolean}} props */
export function ExportMenu({ execution, end = false }) {
  const [busy, setBusy] = useState("");
  const take = async (/** @type {string} */ form) => {
    setBusy(form);
    try {
      const report = await get(`/v1/executions/${encodeURIComponent(execution)}/report`, { form }, { accept: "application/json" });
      if (form !== "markdown") download(report.name, report.text, report.media_type);
      else if (await copyText(report.text)) say("Copied as Markdown.", "ok");
      else download(report.name, report.text, report.media_type);
    } catch (problem) {
      say(`The export failed: ${/** @type {Error} */ (problem).message}`, "failed");
    }
    setBusy("");
  };
  return html`<${Menu} label="Export this execution" icon="export" word="Export" end=${end}>
    <div class="menu-list export-list">
      ${FORMS.map(([form, word, use]) => html`<button key=${form} type="button" class="menu-item export-item" data-close disabled=${Boolean(busy)} onClick=${() => take(form)}>
        <${Icon} name=${form === "markdown" ? "copy" : "export"} /><span><strong>${word}</strong><span class="soft">${use}</span></span>
      </button>`)}
    </div>
  <//>`;
}
