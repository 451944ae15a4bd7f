/** Rows of the journal: begin and end of an action in one row, or one row for each entry. */

/** @typedef {import("./entries.js").Slim} Slim */
/** @typedef {{entry: Slim, end: Slim | null, state: string}} Row */

const STATES = { ok: "ok", failed: "failed", skipped: "skipped", unknown: "in_doubt", in_doubt: "in_doubt" };
const PROBLEMS = new Set(["failed", "in_doubt"]);

/** The rows of a growing list; each entry is processed once. */
export class Rows {
  /** @param {boolean} paired */
  constructor(paired) {
    this.paired = paired;
    this.first = /** @type {Slim | undefined} */ (undefined);
    this.all = /** @type {Row[]} */ ([]);
    this.indexBySeq = /** @type {Map<number, number>} */ (new Map());
    this.taken = 0;
    this.begun = /** @type {Map<string, number>} */ (new Map());
  }

  /** @param {Slim[]} entries all entries in order; after a reload the first one is another object */
  take(entries) {
    if (entries[0] !== this.first) Object.assign(this, new Rows(this.paired), { first: entries[0] });
    for (; this.taken < entries.length; this.taken++) this.add(entries[this.taken]);
    return this.all;
  }

  /** @param {Slim} entry */
  add(entry) {
    const ends = this.paired && (entry.kind === "action_ended" || entry.kind === "action_doubted");
    const index = ends ? this.begun.get(entry.id) : undefined;
    if (index !== undefined) {
      this.all[index] = { ...this.all[index], end: entry, state: stateOf(entry) };
      this.indexBySeq.set(entry.seq, index);
      return;
    }
    if (this.paired && entry.kind === "action_begun") this.begun.set(entry.id, this.all.length);
    this.indexBySeq.set(entry.seq, this.all.length);
    this.all.push({ entry, end: null, state: stateOf(entry) });
  }
}

/**
 * The state of a row: for a paired action its current state, which an entry cannot contain.
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
 * The index of the row of each entry, by sequence number.
 * @param {Row[]} rows
 */
export function indexBySeq(rows) {
  /** @type {Map<number, number>} */
  const found = new Map();
  rows.forEach((row, index) => {
    found.set(row.entry.seq, index);
    if (row.end) found.set(row.end.seq, index);
  });
  return found;
}
