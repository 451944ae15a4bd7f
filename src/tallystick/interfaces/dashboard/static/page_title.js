/** The title of the tab and its icon: both show how much waits for a person. */

import { notePlace } from "./search/recent.js";

const MAX_SHOWN = 99;
let title = "Tallystick";
let waiting = 0;

/** @param {string} text @param {boolean} [isPlace] it names one thing: the search offers it again */
export function setTitle(text, isPlace = false) {
  if (isPlace) notePlace(text);
  title = text === "Tallystick" ? text : `${text} · Tallystick`;
  show();
}

/** @param {number} count how much waits for a person */
export function setWaiting(count) {
  if (count === waiting) return;
  waiting = count;
  show();
  /** @type {HTMLLinkElement | null} */
  const icon = document.querySelector("link[rel=icon]");
  if (icon) icon.href = waiting ? `/favicon.ico?waiting=${Math.min(waiting, MAX_SHOWN + 1)}` : "/static/favicon.svg";
}

function show() {
  document.title = waiting ? `(${word()}) ${title}` : title;
}

const word = () => (waiting > MAX_SHOWN ? `${MAX_SHOWN}+` : String(waiting));
