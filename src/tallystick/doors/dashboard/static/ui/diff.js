/** What changed between two JSON values: by their fields, not by the lines that they happen to be written in. */

import { html } from "../html.js";
import { pretty } from "./json.js";

/** @typedef {{path: string, kind: "same" | "added" | "removed" | "changed", before?: unknown, after?: unknown}} Change */

const DEEPEST = 40;

/**
 * The differences, in the order of the fields. What is equal is left out.
 * @param {unknown} before
 * @param {unknown} after
 * @param {string} [path]
 * @param {number} [depth]
 * @returns {Change[]}
 */
export function changes(before, after, path = "", depth = 0) {
  if (Object.is(before, after)) return [];
  if (before === undefined) return [{ path, kind: "added", after }];
  if (after === undefined) return [{ path, kind: "removed", before }];
  if (!nested(before) || !nested(after) || Array.isArray(before) !== Array.isArray(after) || depth > DEEPEST) {
    return [{ path, kind: "changed", before, after }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const list = Array.isArray(before);
  return names.flatMap((name) =>
    changes(own(before, name), own(after, name), list ? `${path}[${name}]` : path ? `${path}.${name}` : name, depth + 1),
  );
}

/**
 * @param {any} value
 * @returns {value is object}
 */
const nested = (value) => typeof value === "object" && value !== null;

/**
 * A field of the value itself: `__proto__` and its like are names as any other.
 * @param {object} value
 * @param {string} name
 */
const own = (value, name) => (Object.hasOwn(value, name) ? /** @type {any} */ (value)[name] : undefined);

/**
 * @param {{before: unknown, after: unknown, titles?: [string, string]}} props
 */
export function Diff({ before, after, titles = ["before", "after"] }) {
  const found = changes(before, after);
  if (!found.length) return html`<p class="soft">No difference.</p>`;
  return html`<div class="diff" role="region" aria-label=${`Difference between ${titles[0]} and ${titles[1]}`} tabindex="0">
    <table class="diff-table">
      <thead>
        <tr><th scope="col">field</th><th scope="col">${titles[0]}</th><th scope="col">${titles[1]}</th></tr>
      </thead>
      <tbody>
        ${found.map(
          (each) => html`<tr key=${each.path} class=${`diff-${each.kind}`}>
            <th scope="row"><code>${each.path || "value"}</code><span class="diff-kind">${each.kind}</span></th>
            <td>${each.kind === "added" ? html`<span class="faint">–</span>` : html`<del>${shown(each.before)}</del>`}</td>
            <td>${each.kind === "removed" ? html`<span class="faint">–</span>` : html`<ins>${shown(each.after)}</ins>`}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {unknown} value */
const shown = (value) => (typeof value === "string" ? value : pretty(value));
