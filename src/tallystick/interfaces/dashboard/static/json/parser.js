/** Parses JSON with exact numbers, and rejects duplicate names. */

import { numberOf } from "./exact_number.js";

/**
 * A number that a double may change: long, with a fraction or an exponent, or a negative zero. It may be found within a
 * text as well, which costs time and nothing else.
 */
const DELICATE = /(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORDS = /** @type {[string, unknown][]} */ ([["true", true], ["false", false], ["null", null]]);

/**
 * Parse a response of the server.
 * @param {string} text
 * @returns {any}
 */
export function read(text) {
  return DELICATE.test(text) ? readTyped(text) : JSON.parse(text);
}

/**
 * Parse text that a person typed.
 * @param {string} text
 * @returns {any}
 * @throws {Malformed}
 */
export function readTyped(text) {
  const reader = new Reader(text);
  const value = reader.value();
  if (reader.at < text.length) throw new Malformed("This is not JSON yet", reader.at);
  return value;
}

/** A syntax error and its position. */
export class Malformed extends SyntaxError {
  /** @param {string} message @param {number} at */
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

/** Reads values in order; `at` is the position after the last value and the space behind it. */
class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.space();
  }

  /** @returns {unknown} */
  value() {
    const sign = this.text[this.at];
    if (sign === "{") return this.object();
    if (sign === "[") return this.array();
    if (sign === '"') return this.string();
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (found) return this.past(found[0].length), numberOf(found[0]);
    for (const [word, value] of WORDS) if (this.text.startsWith(word, this.at)) return this.past(word.length), value;
    return this.wrong();
  }

  object() {
    /** @type {Record<string, unknown>} */
    const found = {};
    this.past(1);
    if (this.took("}")) return found;
    do {
      const at = this.at;
      if (this.text[at] !== '"') this.wrong();
      const name = this.string();
      if (Object.hasOwn(found, name)) throw new Malformed(`The name ${JSON.stringify(name)} appears twice`, at);
      if (!this.took(":")) this.wrong();
      const value = this.value();
      // Assigning `__proto__` would set the prototype; here it is an ordinary name.
      if (name === "__proto__") Object.defineProperty(found, name, { value, enumerable: true, configurable: true, writable: true });
      else found[name] = value;
    } while (this.took(","));
    return this.took("}") ? found : this.wrong();
  }

  array() {
    /** @type {unknown[]} */
    const found = [];
    this.past(1);
    if (this.took("]")) return found;
    do found.push(this.value());
    while (this.took(","));
    return this.took("]") ? found : this.wrong();
  }

  /** @returns {string} */
  string() {
    let end = this.at;
    do end = this.text.indexOf('"', end + 1);
    while (end > 0 && this.#escaped(end));
    if (end < 0) return this.wrong();
    try {
      const found = JSON.parse(this.text.slice(this.at, end + 1));
      this.past(end + 1 - this.at);
      return found;
    } catch {
      return this.wrong();
    }
  }

  /** Whether the quote there is part of the text: behind an odd number of backslashes. @param {number} quote */
  #escaped(quote) {
    let before = quote;
    while (this.text[before - 1] === "\\") before -= 1;
    return (quote - before) % 2 === 1;
  }

  /** @param {string} sign */
  took(sign) {
    if (this.text[this.at] !== sign) return false;
    this.past(1);
    return true;
  }

  /** @param {number} length */
  past(length) {
    this.at += length;
    this.space();
  }

  space() {
    if (this.text.charCodeAt(this.at) > 0x20) return;
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  /** @returns {never} */
  wrong() {
    throw new Malformed("This is not JSON yet", this.at);
  }
}
