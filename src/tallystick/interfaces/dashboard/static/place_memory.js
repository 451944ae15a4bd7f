/** Where a page was scrolled to and what had the focus, so that Back restores both. */

const SCROLLED = "main .virtual, main .table-scroll";
const RESTORE_MILLISECONDS = 3000;
/** A list loads its rows page by page; after this time the place is given up. */

/** @typedef {{top: number, scrolls: Map<string, number>, href: string}} PagePlace */

/** @returns {PagePlace} */
export function describePlace() {
  const focused = document.activeElement?.closest("main a[href]");
  const boxes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(SCROLLED)]);
  return {
    top: window.scrollY,
    scrolls: new Map(boxes.filter((each) => each.scrollTop > 0).map((each) => [each.ariaLabel ?? "", each.scrollTop])),
    href: focused?.getAttribute("href") ?? "",
  };
}

let stop = () => {};

/** Scroll and focus as it was, as soon as the page has its content; a person who does something ends it. @param {PagePlace} place */
export function restorePlace(place) {
  stop();
  const end = performance.now() + RESTORE_MILLISECONDS;
  let frame = 0;
  const events = ["wheel", "touchstart", "keydown", "pointerdown"];
  stop = () => {
    cancelAnimationFrame(frame);
    for (const name of events) window.removeEventListener(name, stop);
  };
  const attempt = () => {
    const done = [scrollWindow(place.top), ...[...place.scrolls].map(([label, top]) => scrollBox(label, top))].every(Boolean) && focusLink(place.href);
    if (done || performance.now() > end) stop();
    else frame = requestAnimationFrame(attempt);
  };
  for (const name of events) window.addEventListener(name, stop, { passive: true });
  frame = requestAnimationFrame(attempt);
}

/** @param {number} top */
function scrollWindow(top) {
  if (Math.abs(window.scrollY - top) > 1) window.scrollTo(0, top);
  return Math.abs(window.scrollY - top) <= 1;
}

/**
 * @param {string} label
 * @param {number} top
 */
function scrollBox(label, top) {
  const boxes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(SCROLLED)]);
  const box = boxes.find((each) => each.ariaLabel === label);
  if (box && Math.abs(box.scrollTop - top) > 1) box.scrollTop = top;
  return Boolean(box) && Math.abs(/** @type {HTMLElement} */ (box).scrollTop - top) <= 1;
}

/** @param {string} href */
function focusLink(href) {
  if (!href) return true;
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main a[href]")]);
  const found = links.find((each) => each.getAttribute("href") === href);
  found?.focus({ preventScroll: true });
  return Boolean(found);
}
