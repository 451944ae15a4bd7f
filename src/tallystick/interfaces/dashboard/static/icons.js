/** Icons on a grid of 16, in the colour of the text. */

import { html } from "./html.js";

/** Each is one path or several; a stroke unless it begins with "f:", which is filled. */
const PATHS = {
  // States: each has its own shape, so that colour is not needed.
  running: ["M8 1.75a6.25 6.25 0 1 1-4.42 1.83", "f:M6.5 5.4v5.2L10.7 8z"],
  completed: ["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z", "M5.2 8.2l2 2 3.7-4.2"],
  failed: ["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z", "M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],
  cancelled: ["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z", "M3.7 12.3l8.6-8.6"],
  paused: ["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z", "M6.4 5.6v4.8M9.6 5.6v4.8"],
  blocked: ["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z", "M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6", "M12.6 9.6v2.6l1.5 1"],
  unwinding: ["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5", "M5.8 2.6L2.9 5.5l2.9 2.9"],
  in_doubt: ["M8 1.4L14.6 8 8 14.6 1.4 8z", "M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5", "f:M7.3 10.3h1.4v1.3H7.3z"],
  skipped: ["M2.5 4l5 4-5 4z", "M8.5 4l5 4-5 4z"],
  planned: ["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],
  unplanned: ["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z", "M8 5.2v5.6M5.2 8h5.6"],
  owed: ["M3 8h10", "M6 4.5L2.5 8 6 11.5", "M13.5 3v10"],
  late: ["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z", "M8 4.6V8l2.4 1.6"],
  // Things
  home: ["M2.5 7.5L8 2.8l5.5 4.7", "M4 6.5v7h8v-7"],
  executions: ["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],
  approvals: ["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3", "M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],
  plans: ["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z", "M5 4.5h3.2v8H11M8.2 3.6H11"],
  context: ["M3 2.5h7.5L13 5v8.5H3z", "M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],
  stats: ["M2.5 13.5h11", "M4.5 11V8M8 11V3.5M11.5 11V6"],
  compare: ["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4", "M8 1.5v13"],
  replay: ["M3.2 6A5.3 5.3 0 1 1 2.7 8.6", "M2.6 2.8L3.1 6l3.2-.5"],
  import: ["M8 2v7.5M5 6.7l3 3 3-3", "M2.5 10.5v3h11v-3"],
  export: ["M8 9.8V2.2M5 5l3-3 3 3", "M2.5 10.5v3h11v-3"],
  journal: ["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75", "M5.7 5h4"],
  timeline: ["M2 3.5h5M5 8h7M8.5 12.5H14"],
  graph: ["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3", "M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],
  table: ["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],
  coverage: ["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z", "M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],
  agent: ["M3 5.5h10v7H3zM8 5.5V3", "f:M7.2 1.6h1.6v1.6H7.2z", "M6 8.3v1.4M10 8.3v1.4"],
  person: ["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z", "M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],
  observed: ["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z", "f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],
  claimed: ["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],
  // Doing
  search: ["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z", "M10.3 10.3l3.4 3.4"],
  filter: ["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],
  copy: ["M5.5 5.5h8v8h-8z", "M10.5 5.5v-3h-8v8h3"],
  check: ["M3 8.5l3.2 3.2L13 4.6"],
  close: ["M4 4l8 8M12 4l-8 8"],
  left: ["M10 3.5L5.5 8l4.5 4.5"],
  right: ["M6 3.5L10.5 8 6 12.5"],
  down: ["M3.5 6L8 10.5 12.5 6"],
  up: ["M3.5 10L8 5.5 12.5 10"],
  first: ["M3 3v10", "M13 8H6.5M9.3 5L6.3 8l3 3"],
  follow: ["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5", "M3 14h10"],
  link: ["M6.7 9.3l2.6-2.6", "M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],
  save: ["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],
  more: ["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],
  settings: ["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6", "M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z", "M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],
  zoomin: ["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z", "M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],
  zoomout: ["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z", "M10.3 10.3l3.4 3.4M5 7h4"],
  fit: ["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],
  warning: ["M8 2L14.5 13.5h-13z", "M8 6.5v3", "f:M7.3 10.7h1.4V12H7.3z"],
  live: ["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],
  offline: ["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],
  group: ["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],
  edit: ["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],
  reply: ["M6.5 4L2.5 8l4 4", "M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],
  bell: ["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z", "M6.7 13.7h2.6"],
  keyboard: ["M1.5 4h13v8h-13z", "M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"],
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * An icon. Beside a word it is hidden from screen readers; alone it needs a `label`.
 * @param {{name: string, label?: string, size?: number}} props
 */
export function Icon({ name, label = "", size = 16 }) {
  const paths = PATHS[/** @type {IconName} */ (name)] || PATHS.planned;
  return html`
    <svg
      class="icon"
      width=${size}
      height=${size}
      viewBox="0 0 16 16"
      role=${label ? "img" : null}
      aria-label=${label || null}
      aria-hidden=${label ? null : "true"}
      focusable="false"
    >
      ${paths.map((path) =>
        path.startsWith("f:")
          ? html`<path d=${path.slice(2)} fill="currentColor" />`
          : html`<path d=${path} fill="none" stroke="currentColor" />`,
      )}
    </svg>
  `;
}

/** The mark: a stick that was notched and then split, so that two halves keep one record. */
export function Mark({ size = 20 }) {
  return html`
    <svg class="mark" width=${size} height=${size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `;
}
