/** A menu below a button, closed by Escape, a click outside, or a choice. */

import { html, useEffect, useId, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";

/**
 * @param {{label: string, icon?: string, word?: any, children?: any, kind?: string, end?: boolean}} props
 */
export function Menu({ label, icon, word, children, kind = "plain", end = false }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    const close = (/** @type {Event} */ event) => {
      const key = event instanceof KeyboardEvent ? event.key : "";
      if (key && key !== "Escape") return;
      if (!key && event.target instanceof Node && box.current?.contains(event.target)) return;
      setOpen(false);
      if (key) {
        event.preventDefault();
        box.current?.querySelector("button")?.focus();
      }
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close, true);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close, true);
    };
  }, [open]);
  const chosen = (/** @type {MouseEvent} */ event) => {
    if (event.target instanceof Element && event.target.closest("[data-close], a[href]")) setOpen(false);
  };
  return html`<div class="menu" ref=${box}>
    <button
      type="button"
      class=${`button button-${kind} ${word ? "" : "button-icon"}`}
      aria-label=${word ? null : label}
      title=${label}
      aria-expanded=${String(open)}
      aria-controls=${id}
      onClick=${() => setOpen(!open)}
    >
      ${icon && html`<${Icon} name=${icon} />`}${word}
    </button>
    <div id=${id} class=${`menu-box ${end ? "menu-end" : ""}`} hidden=${!open} onClick=${chosen}>${open && children}</div>
  </div>`;
}
