/** Rows of the journal: a begin and its end as one, or each entry by itself. */

/** @typedef {import("./entries.js").Slim} Slim */
/** @typedef {{entry: Slim, end: Slim | null, state: string}} Row */

const STATES = { ok: "ok", failed: "failed", skipped: "skipped", unknown: "in_doubt", in_doubt: "in_doubt" };
const PROBLEMS = new Set(["failed", "in_doubt"]);

/**
 * @param {Slim[]} entries
 * @param {boolean} paired
 * @param {Map<string, string>} [states] how each action stands as of now, which an entry cannot know
 * @returns {Row[]}
 */
export function rowsOf(entries, paired, states = new Map()) {
  if (!paired) return entries.map((entry) => ({ entry, end: null, state: stateOf(entry) }));
  /** @type {Map<string, Row>} */
  const begun = new Map();
  /** @type {Row[]} */
  const rows = [];
  for (const entry of entries) {
    const row = entry.kind === "action_ended" || entry.kind === "action_doubted" ? begun.get(entry.id) : undefined;
    if (row) {
      row.end = entry;
      row.state = states.get(entry.id) || stateOf(entry);
      continue;
    }
    const next = { entry, end: null, state: stateOf(entry) };
    if (entry.kind === "action_begun") {
      next.state = states.get(entry.id) || "";
      begun.set(entry.id, next);
    }
    rows.push(next);
  }
  return rows;
}

/** @param {Slim} entry */
function stateOf(entry) {
  return STATES[/** @type {keyof typeof STATES} */ (entry.outcome)] || "";
}

/** @param {Row} row */
export const isProblem = (row) => PROBLEMS.has(row.state) || row.entry.kind === "decision_recorded";

/**
 * Where each entry stands among the rows.
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
