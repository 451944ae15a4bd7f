/** Shows the differences of two JSON values, as a table of fields or as lines. */

import { changes, folded, lines, pathText } from "../diff/json.js";
import { html, useState } from "../html.js";
import { Choice } from "./button.js";
import { Leaf, pretty } from "./json.js";
import { Visible, Text, TextLines } from "./text.js";

/**
 * @param {{before: unknown, after: unknown, titles?: [string, string]}} props
 */
export function Diff({ before, after, titles = ["before", "after"] }) {
  const found = changes(before, after);
  const long = found.some((each) => typeof each.before === "string" && each.before.includes("\n"));
  const [chosen, choose] = useState("");
  const form = chosen || (long ? "lines" : "fields");
  if (!found.length) return html`<p class="soft">No difference.</p>`;
  const label = `Difference between ${titles[0]} and ${titles[1]}`;
  return html`<div class="diff">
    <div class="diff-head">
      <span class="soft">${summary(found)}</span>
      <${Choice} label="How the difference is shown" value=${form} choices=${["fields", "lines"]} onChange=${choose} />
    </div>
    <div class="diff-body" role="group" aria-label=${label} tabindex="0">
      ${form === "fields"
        ? html`<${Fields} found=${found} titles=${titles} />`
        : html`<${Lines} before=${before} after=${after} titles=${titles} />`}
    </div>
  </div>`;
}

/** @param {import("../diff/json.js").Change[]} found */
function summary(found) {
  const count = (/** @type {string} */ kind) => found.filter((each) => each.change === kind).length;
  return ["changed", "added", "removed"].filter(count).map((kind) => `${count(kind)} ${kind}`).join(", ");
}

/** @param {{found: import("../diff/json.js").Change[], titles: [string, string]}} props */
function Fields({ found, titles }) {
  const rows = found.map((each) => ({ path: each.path.length ? pathText(each.path) : "value", kind: each.change, before: each.before, after: each.after }));
  return html`<${DiffTable} rows=${rows} titles=${titles} />`;
}

/**
 * A table of differing paths, with the values of both sides.
 * @param {{rows: {path: string, kind: "added" | "removed" | "changed", before?: unknown, after?: unknown}[], titles: [string, string],
 *   words?: Record<string, string>}} props
 */
export function DiffTable({ rows, titles, words = {} }) {
  return html`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${titles[0]}</th><th scope="col">${titles[1]}</th></tr>
    </thead>
    <tbody>
      ${rows.map((each) => html`<tr key=${each.path}>
        <th scope="row"><code><${Text} text=${each.path} /></code><span class="diff-kind">${words[each.kind] ?? each.kind}</span></th>
        <td>${each.kind === "added" ? html`<span class="faint">–</span>` : html`<del><${Side} value=${each.before} /></del>`}</td>
        <td>${each.kind === "removed" ? html`<span class="faint">–</span>` : html`<ins><${Side} value=${each.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`;
}

/** @param {{value: unknown}} props */
function Side({ value }) {
  return typeof value === "string" ? html`<${Leaf} value=${value} />` : html`<${TextLines} text=${pretty(value)} />`;
}

const KINDS = { " ": "kept", "-": "removed", "+": "added" };

/** @param {{before: unknown, after: unknown, titles: [string, string]}} props */
function Lines({ before, after, titles }) {
  const [open, setOpen] = useState(/** @type {number[]} */ ([]));
  const parts = folded(lines(before, after));
  return html`<p class="visually-hidden">Lines that begin with a minus are only in ${titles[0]}, those with a plus only in ${titles[1]}.</p>
    <pre class="diff-lines">${parts.map((part, at) => {
      if (!("folded" in part)) return html`<${Line} line=${part} />`;
      if (open.includes(at)) return part.folded.map((line) => html`<${Line} line=${line} />`);
      return html`<button type="button" class="diff-fold" onClick=${() => setOpen([...open, at])}>${part.folded.length} unchanged lines</button>`;
    })}</pre>`;
}

/** @param {{line: import("../diff/json.js").Line}} props */
function Line({ line }) {
  // Lines within a text have a rule in front, so that they cannot look like members of the value.
  const text = html`${`${line.mark} ${"  ".repeat(line.depth)}${line.within ? "│ " : ""}`}<bdi><${Visible} text=${line.text} /></bdi>${"\n"}`;
  if (line.mark === "-") return html`<del class="diff-line diff-removed">${text}</del>`;
  if (line.mark === "+") return html`<ins class="diff-line diff-added">${text}</ins>`;
  return html`<span class=${`diff-line diff-${KINDS[line.mark]}`}>${text}</span>`;
}
