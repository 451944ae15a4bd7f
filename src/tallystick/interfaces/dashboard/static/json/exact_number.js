/** A number that JavaScript cannot represent exactly, kept as text. */

/**
 * A double holds no whole number above 2^53 exactly, and writes 1.0 as 1. To another program these are other values, and
 * a call is granted by its exact arguments. In sums it counts as the nearest double.
 */
export class Exact {
  /** @param {string} source the text in the JSON */
  constructor(source) {
    this.source = source;
    Object.freeze(this);
  }

  toString() {
    return this.source;
  }

  valueOf() {
    return Number(this.source);
  }
}

/**
 * A plain number, if it is exact.
 * @param {string} source
 * @returns {number | Exact}
 */
export function numberOf(source) {
  const value = Number(source);
  return String(value) === source ? value : new Exact(source);
}
