/** Tabs that are links, so that the address holds the selected tab. */

import { html, useEffect, useRef } from "../html.js";
import { link } from "../router.js";

/**
 * The row of tabs. Arrow keys move between them.
 * @param {{label: string, tabs: {id: string, title: string, count?: number, tone?: string}[], value: string,
 *   href?: (id: string) => string}} props
 */
export function Tabs({ label, tabs, value, href = (id) => link(location.pathname + location.search, { tab: id }) }) {
  const row = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    row.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [value]);
  const move = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !row.current) return;
    const links = [...row.current.querySelectorAll("a")];
    const next = links[(links.indexOf(/** @type {any} */ (document.activeElement)) + step + links.length) % links.length];
    next.focus();
    event.preventDefault();
  };
  return html`<nav class="tabs" aria-label=${label} ref=${row} onKeyDown=${move}>
    ${tabs.map(
      (tab) => html`<a href=${href(tab.id)} class="tab" aria-current=${tab.id === value ? "page" : null}>
        ${tab.title}
        ${tab.count ? html`<span class=${`tab-count tone-${tab.tone || "plain"}`}>${tab.count}</span>` : null}
      </a>`,
    )}
  </nav>`;
}
