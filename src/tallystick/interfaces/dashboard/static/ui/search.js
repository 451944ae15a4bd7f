/** A box to search in. It tells what was typed after a breath, and at once with Enter. */

import { html, useEffect, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";

const BREATH = 250;

/**
 * @param {{label: string, value: string, onChange: (value: string) => void, placeholder?: string, focusOn?: string,
 *   onEnter?: () => void, children?: any}} props `onEnter` goes on to what was found
 */
export function SearchBox({ label, value, onChange, onEnter, placeholder = "", children }) {
  const [typed, type] = useState(value);
  const told = useRef(value);
  const timer = useRef(/** @type {any} */ (0));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    type(value);
  }, [value]);
  const tell = (/** @type {string} */ text) => {
    clearTimeout(timer.current);
    told.current = text;
    onChange(text);
  };
  const change = (/** @type {string} */ text) => {
    type(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(text), BREATH);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      tell(typed);
      if (onEnter) (event.preventDefault(), input.current?.blur(), onEnter());
    }
    if (event.key === "Escape") (typed ? (type(""), tell("")) : input.current?.blur());
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

/** Put the keyboard into the search box of the page. */
export function focusSearch() {
  /** @type {HTMLInputElement | null} */
  const box = document.querySelector("main [data-search]");
  box?.focus();
  box?.select();
}
