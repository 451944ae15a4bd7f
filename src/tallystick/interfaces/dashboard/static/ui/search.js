/** A search box. It reports its text after a pause in typing, or at once with Enter. */

import { html, useEffect, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";

const TYPING_PAUSE_MILLISECONDS = 250;

/**
 * @param {{label: string, value: string, onChange: (value: string) => void, placeholder?: string, focusOn?: string,
 *   onEnter?: () => void, children?: any}} props `onEnter` moves on to the results
 */
export function SearchBox({ label, value, onChange, onEnter, placeholder = "", children }) {
  const [typed, type] = useState(value);
  const sent = useRef(value);
  const timer = useRef(/** @type {any} */ (0));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    type(value);
  }, [value]);
  const send = (/** @type {string} */ text) => {
    clearTimeout(timer.current);
    sent.current = text;
    onChange(text);
  };
  const change = (/** @type {string} */ text) => {
    type(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(text), TYPING_PAUSE_MILLISECONDS);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      send(typed);
      if (onEnter) (event.preventDefault(), input.current?.blur(), onEnter());
    }
    if (event.key === "Escape") (typed ? (type(""), send("")) : input.current?.blur());
  };
  return html`<div class="search" role="search">
    <${Icon} name="search" />
    <input
      ref=${input}
      type="search"
      aria-label=${label}
      placeholder=${placeholder}
      value=${typed}
      spellcheck="false"
      autocomplete="off"
      data-search
      onInput=${(/** @type {any} */ event) => change(event.target.value)}
      onKeyDown=${key}
    />
    ${children}
  </div>`;
}

/** Focus the search box of the page. */
export function focusSearch() {
  /** @type {HTMLInputElement | null} */
  const box = document.querySelector("main [data-search]");
  box?.focus();
  box?.select();
}
