/**
 * Which characters of a text would not be seen, and how each is written instead. Pure: no markup here.
 *
 * Whoever approves a call reads what an agent wrote. Characters that draw nothing, or turn the direction of others, are
 * written as `doors/cli/escapes.py` writes them for a terminal; a test holds both to the same set.
 */

/** @typedef {{mark: string, title: string}} Mark something to be seen that stands for what would not be */

/** Letters of these take other shapes beside a joiner; elsewhere it only hides. */
const JOINED =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}" +
  "\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}";

/** Where joiners and selectors do what they are for: within an emoji, or between letters that join. */
const AT_WORK = [
  "(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",
  `(?<=[${JOINED}])[\\u200c\\u200d](?=[${JOINED}])`,
  "(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");

/** Controls, formats, halves of pairs, unassigned and private ones; what is ignorable by default; spaces but the space. */
const HIDDEN = "[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}";

const SPACES = 40;
/** So many spaces in a row push what follows out of sight: they are counted instead. */

const UNSEEN = new RegExp(`(?!${AT_WORK})(?:${HIDDEN})`, "gu");
const UNSEEN_BUT_LINES = new RegExp(`(?![\\n\\t]|${AT_WORK})(?:${HIDDEN})`, "gu");
const FOUND = new RegExp(`((?:(?![\\n\\t]|${AT_WORK})(?:${HIDDEN}))+|\\n| {${SPACES},})`, "gu");

/**
 * A text cut at what would not be seen.
 * @param {string} text
 * @returns {(string | Mark)[]}
 */
export function visible(text) {
  if (PRINTABLE.test(text) && text.length < SPACES) return text ? [text] : [];
  return text.split(FOUND).map((part, at) => (at % 2 ? markOf(part) : part)).filter(Boolean);
}

/** What most texts are made of. */
const PRINTABLE = /^[ -~]*$/;

/** @param {string} found @returns {Mark} */
function markOf(found) {
  if (found === "\n") return { mark: "↵", title: "a line break" };
  if (found[0] === " ") return { mark: `${found.length} spaces`, title: `${found.length} spaces, one after the other` };
  const codes = [...found].map((letter) => `U+${code(letter).toString(16).toUpperCase().padStart(4, "0")}`);
  const named = codes.slice(0, 8).join(" ") + (codes.length > 8 ? " …" : "");
  return { mark: spelled(found), title: `${named}: would not be seen` };
}

/**
 * The same as one text, for where there is room for nothing else: a label, a title.
 * @param {string} text
 */
export const spelled = (text) => (PRINTABLE.test(text) ? text : text.replace(UNSEEN_BUT_LINES, escape));

/**
 * JSON in which nothing is unseen: the same value to any reader.
 * @param {string} json
 */
export const spelledJson = (json) =>
  json.replace(UNSEEN, (letter) => (letter === "\n" ? letter : letter.split("").map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("")));

/**
 * The beginning of a text: no pair of halves is cut in two.
 * @param {string} text
 * @param {number} length
 */
export const beginning = (text, length) => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

/** As Python's `unicode_escape` has it. @param {string} letter */
function escape(letter) {
  if (letter === "\r") return "\\r";
  const value = code(letter);
  return value < 0x100 ? `\\x${hex(value, 2)}` : value < 0x10000 ? `\\u${hex(value, 4)}` : `\\U${hex(value, 8)}`;
}

/** @param {string} letter */
const code = (letter) => Number(letter.codePointAt(0));

/** @param {number} value @param {number} digits */
const hex = (value, digits) => value.toString(16).padStart(digits, "0");

/** A name that needs no quotes. */
const WORD = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/**
 * The name of a member: one that is no plain word stands in quotes, so that it cannot pass for a name and a value.
 * @param {string} name
 */
export const nameText = (name) => (WORD.test(name) ? name : JSON.stringify(name));
