/** Panels, empty states, problem notes and lists of facts. */

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
 * An empty state with its explanation.
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
 * A problem and its hint.
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

/** A loading note; CSS delays it, so that it shows only for slow requests. */
export function Loading({ what = "Loading" }) {
  return html`<p class="loading" role="status">${what}…</p>`;
}

/**
 * A list of names and values.
 * @param {{rows: ([string, any] | false | null | undefined | "")[]}} props
 */
export function Facts({ rows }) {
  return html`<dl class="facts">
    ${rows.filter((row) => Array.isArray(row) && row[1] !== "" && row[1] !== undefined && row[1] !== null).map(
      (row) => html`<div><dt>${/** @type {any} */ (row)[0]}</dt><dd>${/** @type {any} */ (row)[1]}</dd></div>`,
    )}
  </dl>`;
}
