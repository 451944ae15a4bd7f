/** Surfaces: a titled box, and an empty one that says what would be there. */

import { html, names } from "../html.js";
import { Icon } from "../icons.js";

/**
 * @param {{title?: any, level?: 2 | 3 | 4, actions?: any, class?: string, flush?: boolean, children?: any,
 *   [more: string]: any}} props
 */
export function Panel({ title, level = 2, actions, class: more, flush = false, children, ...rest }) {
  return html`<section ...${rest} class=${names("panel", flush && "panel-flush", more)}>
    ${(title || actions) &&
    html`<header class="panel-head">
      ${title && html`<${`h${level}`} class="panel-title">${title}</${`h${level}`}>`}
      ${actions && html`<div class="panel-actions">${actions}</div>`}
    </header>`}
    <div class="panel-body">${children}</div>
  </section>`;
}

/**
 * Nothing there, and why that is so.
 * @param {{icon?: string, title: string, children?: any}} props
 */
export function Empty({ icon = "planned", title, children }) {
  return html`<div class="empty">
    <${Icon} name=${icon} size=${24} />
    <p class="empty-title">${title}</p>
    ${children && html`<div class="empty-body">${children}</div>`}
  </div>`;
}

/**
 * What went wrong, and what to do about it.
 * @param {{problem: any, retry?: () => void}} props
 */
export function ProblemNote({ problem, retry }) {
  if (!problem) return null;
  return html`<div class="problem" role="alert">
    <${Icon} name="warning" />
    <div>
      <p>${problem.message}</p>
      ${problem.hint && html`<p class="soft">${problem.hint}</p>`}
    </div>
    ${retry && html`<button type="button" class="button button-plain" onClick=${retry}>Try again</button>`}
  </div>`;
}

/** Something is on its way; said quietly, and only when it takes a while (CSS delays it). */
export function Loading({ what = "Loading" }) {
  return html`<p class="loading" role="status">${what}…</p>`;
}

/**
 * Names and values, one below the other.
 * @param {{rows: ([string, any] | false | null | undefined | "")[]}} props
 */
export function Facts({ rows }) {
  return html`<dl class="facts">
    ${rows.filter((row) => Array.isArray(row) && row[1] !== "" && row[1] !== undefined && row[1] !== null).map(
      (row) => html`<div><dt>${/** @type {any} */ (row)[0]}</dt><dd>${/** @type {any} */ (row)[1]}</dd></div>`,
    )}
  </dl>`;
}
