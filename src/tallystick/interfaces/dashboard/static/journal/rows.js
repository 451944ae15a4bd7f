/** Rows of the journal: a begin and its end as one, or each entry by itself. */

/** @typedef {import("./entries.js").Slim} Slim */
/** @typedef {{entry: Slim, end: Slim | null, state: string}} Row */

const STATES = { ok: "ok", failed: "failed", skipped: "skipped", unknown: "in_doubt", in_doubt: "in_doubt" };
const PROBLEMS = new Set(["failed", "in_doubt"]);

/** The rows of a list that grows: what was taken in once is not looked at again. */
export class Rows {
  /** @param {boolean} paired */
  constructor(paired) {
    this.paired = paired;
    this.first = /** @type {Slim | undefined} */ (undefined);
    this.all = /** @type {Row[]} */ ([]);
    this.places = /** @type {Map<number, number>} */ (new Map());
    this.taken = 0;
    this.begun = /** @type {Map<string, number>} */ (new Map());
  }

  /** @param {Slim[]} entries all of them, in order; those that were read anew begin with another object */
  take(entries) {
    if (entries[0] !== this.first) Object.assign(this, new Rows(this.paired), { first: entries[0] });
    for (; this.taken < entries.length; this.taken++) this.add(entries[this.taken]);
    return this.all;
  }

  /** @param {Slim} entry */
  add(entry) {
    const ends = this.paired && (entry.kind === "action_ended" || entry.kind === "action_doubted");
    const place = ends ? this.begun.get(entry.id) : undefined;
    if (place !== undefined) {
      this.all[place] = { ...this.all[place], end: entry, state: stateOf(entry) };
      this.places.set(entry.seq, place);
      return;
    }
    if (this.paired && entry.kind === "action_begun") this.begun.set(entry.id, this.all.length);
    this.places.set(entry.seq, this.all.length);
    this.all.push({ entry, end: null, state: stateOf(entry) });
  }
}

/**
 * How a row stands: an action in one row stands as it does now, which an entry cannot know.
 * @param {Row} row
 * @param {Map<string, string>} states
 */
export function standing(row, states) {
  const paired = row.end || row.entry.kind === "action_begun";
  return (paired && states.get(row.entry.id)) || row.state;
}

/** @param {Slim} entry */
function stateOf(entry) {
  return STATES[/** @type {keyof typeof STATES} */ (entry.outcome)] || "";
}

/**
 * @param {Row} row
 * @param {Map<string, string>} states
 */
export const isProblem = (row, states) => PROBLEMS.has(standing(row, states)) || row.entry.kind === "decision_recorded";

/**
 * Where each entry stands among some of the rows.
 * @param {Row[]} rows
 */
export function places(rows) {
  /** @type {Map<number, number>} */
  const found = new Map();
  rows.forEach((row, place) => {
    found.set(row.entry.seq, place);
    if (row.end) found.set(row.end.seq, place);
  });
  return found;
}
