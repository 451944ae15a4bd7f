/** All details of one entry, with its raw JSON. */

import { get } from "../api.js";
import { html } from "../html.js";
import { useLive } from "../live.js";
import { link } from "../router.js";
import { Facts, HandleText, Json, Loading, LongText, ProblemNote, Status, Text, Time, Witness, span } from "../ui/index.js";

/** Texts that are shown before the other fields. */
const TEXTS = /** @type {[string, string][]} */ ([
  ["why", "Why"],
  ["question", "Question"],
  ["answer", "Answer"],
  ["reason", "Reason"],
  ["summary", "Summary"],
  ["error", "Error"],
  ["rejected", "Why the others were not chosen"],
]);

/** @param {{seq: number, onAction: (id: string) => void}} props */
export function EntryDetail({ seq, onAction }) {
  const { data, problem, reload } = useLive({ by: [seq], kinds: ["body_erased"] }, (signal) =>
    get("/v1/entries", { after: seq - 1, limit: 1 }, { signal }),
  );
  if (problem) return html`<${ProblemNote} problem=${problem} retry=${reload} />`;
  if (!data) return html`<${Loading} />`;
  const entry = data.entries[0];
  if (!entry || entry.seq !== seq) return html`<p class="soft">There is no entry ${seq}, or you may not see it.</p>`;
  const body = entry.body || {};
  const { facts } = entry;
  return html`<div class="detail-body">
    <h2>${kindWord(entry.kind)}</h2>
    <p class="detail-tags">${facts.decision && html`<strong>${facts.decision}</strong>`}${facts.status && html`<${Status} state=${facts.status} />`}<${Witness} witness=${entry.witness} /></p>
    <${Facts}
      rows=${[
        ["entry", html`<code>${entry.seq}</code>`],
        ["about", entry.id && (entry.id.startsWith("ac_") ? html`<button type="button" class="row-button mono" onClick=${() => onAction(entry.id)}>${entry.id}</button>` : html`<${HandleText} id=${entry.id} />`)],
        ["by", html`<${Text} text=${entry.actor || "–"} /> (${entry.actor_kind || "agent"})`],
        ["at", html`<${Time} at=${entry.at} />`],
        ["clock", entry.behind && `${span(entry.behind * 1000)} behind the entry before`],
        ["step", facts.step && html`<code><${Text} text=${facts.step} /></code>`],
        ["approval", facts.approval_id && html`<a href=${link(`/approvals/${facts.approval_id}`)}><code>${facts.approval_id}</code></a>`],
        ["trace", entry.trace && html`<code>${entry.trace}</code>`],
        ["key", entry.key && html`<code>${entry.key}</code>`],
        ["hash", html`<code class="hash">${entry.hash}</code>`],
      ]}
    />
    ${entry.kind === "unreadable" && html`<p class="warn">This entry cannot be read: <${Text} text=${facts.problem} />. ${facts.needs ? `Install ${facts.needs === "newer" ? "the newest version" : `version ${facts.needs}`}.` : html`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${entry.erased && html`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${entry.altered && html`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${TEXTS.map(([name, title]) => (typeof body[name] === "string" && body[name] ? html`<section class="part"><h3>${title}</h3><${LongText} text=${body[name]} /></section>` : null))}
    ${Array.isArray(body.alternatives) && html`<section class="part"><h3>Alternatives</h3><ul>${body.alternatives.map((/** @type {unknown} */ each) => html`<li><${Text} text=${String(each)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${Json} value=${entry} label="entry" /></section>
  </div>`;
}

/** @param {{entries: any[]}} props */
export function EntryList({ entries }) {
  return html`<section class="part">
    <h3>Entries (${entries.length})</h3>
    ${entries.map(
      (entry) => html`<details class="entry-raw" key=${entry.seq}>
        <summary><span class="num faint">${entry.seq}</span> ${kindWord(entry.kind)} <${Witness} witness=${entry.witness} /> <span class="faint"><${Text} text=${entry.actor} /></span></summary>
        <${Json} value=${entry} label=${`entry ${entry.seq}`} />
        <p><a href=${link(location.pathname, { tab: "journal", entry: entry.seq })}>Link to this entry</a></p>
      </details>`,
    )}
  </section>`;
}

/** @param {string} kind */
export const kindWord = (kind) => kind.replaceAll("_", " ");
