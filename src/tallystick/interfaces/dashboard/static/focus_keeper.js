/** Keyboard focus never falls to the body: if what had it is removed, the main part of the page gets it. */

/** Whether nothing that a person uses has the focus. */
export const isFocusLost = () => !document.activeElement || document.activeElement === document.body || document.activeElement.id === "main";

export function startFocusKeeper() {
  /** @type {Element | null} */
  let last = null;
  document.addEventListener("focusin", (event) => (last = event.target instanceof Element ? event.target : null));
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    document.getElementById("main")?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
