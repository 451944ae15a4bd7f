/** Buttons that copy a text: a handle, a command. */

import { html, useState } from "../html.js";
import { Icon } from "../icons.js";

/**
 * Copy a text to the clipboard.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {{text: string, what?: string}} props */
export function Copy({ text, what = "" }) {
  const [status, setStatus] = useState("");
  const copy = async () => {
    setStatus((await copyText(text)) ? "copied" : "cannot copy");
    setTimeout(() => setStatus(""), 1600);
  };
  return html`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${what || text}`} title=${`Copy ${what || text}`} onClick=${copy}>
      <${Icon} name=${status === "copied" ? "check" : "copy"} />
    </button>
    <span class="copy-status" role="status">${status}</span>
  </span>`;
}

/**
 * A handle with its copy button.
 * @param {{id: string, href?: string}} props
 */
export function HandleText({ id, href }) {
  return html`<span class="handle">
    ${href ? html`<a href=${href}><code>${id}</code></a>` : html`<code>${id}</code>`}<${Copy} text=${id} />
  </span>`;
}
