/**
 * Replaces invisible characters of a text by marks. No markup here.
 *
 * A person who approves a call reads what an agent wrote. Characters that draw nothing, or change the direction of text,
 * are written as `core/formats/visible.py` writes them; a test compares both sets.
 */

/** @typedef {{mark: string, title: string}} Mark a visible replacement of an invisible character */

/** Scripts whose letters change shape beside a joiner; elsewhere a joiner is only invisible. */
const JOINING_SCRIPTS =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}" +
  "\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}";

/** Joiners and selectors with a visible effect: within an emoji, or between letters that join. */
const VALID_JOINERS = [
  "(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",
  `(?<=[${JOINING_SCRIPTS}])[\\u200c\\u200d](?=[${JOINING_SCRIPTS}])`,
  "(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");

/** Control, format, surrogate, unassigned, private and default-ignorable characters, and spaces other than the plain one. */
const HIDDEN = "[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}";

const SPACES = 40;
/** More spaces in a row could push text out of sight, so a count is shown instead. */

const UNSEEN = new RegExp(`(?!${VALID_JOINERS})(?:${HIDDEN})`, "gu");
const UNSEEN_BUT_LINES = new RegExp(`(?![\\n\\t]|${VALID_JOINERS})(?:${HIDDEN})`, "gu");
const FOUND = new RegExp(`((?:(?![\\n\\t]|${VALID_JOINERS})(?:${HIDDEN}))+|\\n| {${SPACES},})`, "gu");

/**
 * A text split at its invisible characters.
 * @param {string} text
 * @returns {(string | Mark)[]}
 */
export function visible(text) {
  if (PRINTABLE.test(text) && text.length < SPACES) return text ? [text] : [];
  return text.split(FOUND).map((part, at) => (at % 2 ? markOf(part) : part)).filter(Boolean);
}

/** Characters of ordinary texts, which need no check. */
const PRINTABLE = /^[ -~]*$/;

/** @param {string} found @returns {Mark} */
function markOf(found) {
  if (found === "\n") return { mark: "↵", title: "a line break" };
  if (found[0] === " ") return { mark: `${found.length} spaces`, title: `${found.length} spaces, one after the other` };
  const codes = [...found].map((letter) => `U+${code(letter).toString(16).toUpperCase().padStart(4, "0")}`);
  const named = codes.slice(0, 8).join(" ") + (codes.length > 8 ? " …" : "");
  return { mark: visibleText(found), title: `${named}: would not be seen` };
}

/**
 * The same as plain text, for labels and titles.
 * @param {string} text
 */
export const visibleText = (text) => (PRINTABLE.test(text) ? text : text.replace(UNSEEN_BUT_LINES, escape));

/**
 * JSON with escapes for invisible characters: the same value for any parser.
 * @param {string} json
 */
export const visibleJson = (json) =>
  json.replace(UNSEEN, (letter) => (letter === "\n" ? letter : letter.split("").map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("")));

/**
 * The beginning of a text, without splitting a surrogate pair.
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

/** A name without quotes. */
const WORD = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/**
 * The name of a member, quoted unless it is a plain word, so that it cannot look like a name and a value.
 * @param {string} name
 */
export const nameText = (name) => (WORD.test(name) ? name : JSON.stringify(name));
