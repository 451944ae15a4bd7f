/** Personal settings, stored in this browser only. */

import { useEffect, useState } from "./html.js";

/** Every setting with its choices; the first one is the default. */
export const SETTINGS = /** @type {const} */ ({
  theme: ["system", "light", "dark"],
  density: ["compact", "comfortable"],
  time: ["relative", "absolute"],
  zone: ["local", "utc"],
});

/** @typedef {keyof typeof SETTINGS} Setting */

const listeners = new Set();

/** @param {Setting} name */
export function setting(name) {
  const chosen = localStorage.getItem(`tallystick.${name}`) || "";
  const choices = /** @type {readonly string[]} */ (SETTINGS[name]);
  return choices.includes(chosen) ? chosen : choices[0];
}

/**
 * @param {Setting} name
 * @param {string} value
 */
export function choose(name, value) {
  localStorage.setItem(`tallystick.${name}`, value);
  document.documentElement.dataset[name] = value;
  for (const listener of listeners) listener(Symbol(name));
}

/** @param {Setting} name */
export function useSetting(name) {
  const [, redraw] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    listeners.add(redraw);
    return () => void listeners.delete(redraw);
  }, []);
  return setting(name);
}

/** Apply changes made in another tab; the page calls it once. */
export function startSettings() {
  window.addEventListener("storage", (event) => {
    const name = event.key?.replace("tallystick.", "");
    if (name && name in SETTINGS) choose(/** @type {Setting} */ (name), setting(/** @type {Setting} */ (name)));
  });
}
