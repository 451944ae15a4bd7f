/**
 * Keeps what a person typed in this browser until it was accepted, so that it survives a restart of the server, an
 * expired login and a closed tab.
 */

import { useState } from "./html.js";
import { journal } from "./router.js";

const PREFIX = "tallystick.draft.";
const KEPT_MILLISECONDS = 30 * 86_400_000;
/** Older drafts are removed. */

/** @typedef {Record<string, string>} Fields texts by the name of their field; a draft without text is not kept */

/**
 * The name of a draft: the journal, and what it is about.
 * @param {...string} about
 */
export const draftName = (...about) => PREFIX + JSON.stringify([journal(), ...about]);

/** @param {string} name @returns {Fields} */
export function readDraft(name) {
  try {
    return JSON.parse(localStorage.getItem(name) || "{}").fields || {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {Fields} fields */
export function writeDraft(name, fields) {
  try {
    localStorage.setItem(name, JSON.stringify({ at: Date.now(), fields }));
  } catch {
    // Without storage, or when it is full, the text stays in the page only.
  }
}

/** @param {string} name */
export function forgetDraft(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
}

/** Removes old drafts, or at a logout all: the next person at this browser must not read them. @param {boolean} [all] */
export function removeDrafts(all = false) {
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
    const { at = 0 } = JSON.parse(localStorage.getItem(name) || "{}");
    if (all || Date.now() - at > KEPT_MILLISECONDS) localStorage.removeItem(name);
  }
}

/**
 * Fields of a form that are kept while a person types. The first item is what the draft had, or `initial`.
 * @param {string} name
 * @param {Fields} initial
 * @returns {[Fields, (changed: Fields) => void, () => void]} the fields, how to change some, and how to forget them
 */
export function useDraft(name, initial) {
  const [fields, setFields] = useState(() => ({ ...initial, ...readDraft(name) }));
  const put = (/** @type {Fields} */ changed) => {
    setFields((before) => ({ ...before, ...changed }));
    writeDraft(name, { ...readDraft(name), ...changed });
  };
  return [fields, put, () => forgetDraft(name)];
}
