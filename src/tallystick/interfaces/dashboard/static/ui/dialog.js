/** A dialog with the browser's own element, which traps the focus and closes with Escape. */

import { html, useEffect, useId, useRef } from "../html.js";
import { Button } from "./button.js";

/**
 * @param {{title: string, onClose: () => void, children?: any, wide?: boolean, side?: boolean}} props
 */
export function Dialog({ title, onClose, children, wide = false, side = false }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    const shown = box.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => event.target === box.current && onClose();
  return html`<dialog
    ref=${box}
    class=${`dialog ${wide ? "dialog-wide" : ""} ${side ? "dialog-side" : ""}`}
    aria-labelledby=${id}
    onCancel=${(/** @type {Event} */ event) => (event.preventDefault(), onClose())}
    onClick=${outside}
  >
    <div class="dialog-box">
      <header class="dialog-head">
        <h2 id=${id}>${title}</h2>
        <${Button} kind="ghost" icon="close" label="Close" onClick=${onClose} />
      </header>
      <div class="dialog-body">${children}</div>
    </div>
  </dialog>`;
}
