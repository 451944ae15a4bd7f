import assert from "node:assert/strict";
import { test } from "node:test";

const { Rows, isProblem, indexBySeq, standing } = await import(`${process.env.STATIC}/journal/rows.js`);

const entry = (seq, kind, id, more = {}) => ({ seq, kind, id, at: "", actor: "", witness: "", word: "", tool: "", text: "", outcome: "", undo: false, ...more });
const told = [
  entry(1, "execution_started", "ex_1"),
  entry(2, "action_begun", "ac_1"),
  entry(3, "action_begun", "ac_2"),
  entry(4, "action_ended", "ac_1", { outcome: "failed" }),
  entry(5, "decision_recorded", "de_1"),
  entry(6, "action_doubted", "ac_2", { outcome: "in_doubt" }),
];

const rowsOf = (entries, paired) => new Rows(paired).take(entries);
const NOW = new Map();

test("a begin and its end are one row, in the place of the begin, with what came of it", () => {
  const rows = rowsOf(told, true);
  assert.deepEqual(rows.map((row) => [row.entry.seq, row.end?.seq ?? 0, row.state]), [[1, 0, ""], [2, 4, "failed"], [3, 6, "in_doubt"], [5, 0, ""]]);
});

test("in full, each entry is a row", () => {
  assert.deepEqual(rowsOf(told, false).map((row) => row.entry.seq), [1, 2, 3, 4, 5, 6]);
});

test("each entry is found in its row, an end in that of its begin", () => {
  const where = indexBySeq(rowsOf(told, true));
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((seq) => where.get(seq)), [0, 1, 2, 1, 3, 2]);
});

test("what comes later goes where it would have gone at once", () => {
  const rows = new Rows(true);
  for (let many = 0; many <= told.length; many++) rows.take(told.slice(0, many));
  assert.deepEqual(rows.all, rowsOf(told, true));
  assert.deepEqual(rows.indexBySeq, indexBySeq(rows.all));
});

test("a row that changes is another row, so that it is drawn again", () => {
  const rows = new Rows(true);
  const before = [...rows.take(told.slice(0, 3))];
  const after = rows.take(told.slice(0, 4));
  assert.deepEqual(after.map((row, place) => row === before[place]), [true, false, true]);
});

test("what was read anew takes the place of what was there", () => {
  const rows = new Rows(true);
  rows.take(told);
  const erased = told.slice(0, 3).map((entry) => ({ ...entry, text: "" }));
  assert.deepEqual(rows.take(erased), rowsOf(erased, true));
});

test("problems are what failed, what is in doubt, and what was decided about it", () => {
  assert.deepEqual(rowsOf(told, true).filter((row) => isProblem(row, NOW)).map((row) => row.entry.seq), [2, 3, 5]);
});

test("an end whose begin is not there stands by itself", () => {
  assert.deepEqual(rowsOf(told.slice(3), true).map((row) => row.entry.seq), [4, 5, 6]);
});

test("an action without an end stands as it stands now, whatever its entries say", () => {
  const states = new Map([["ac_1", "open"], ["ac_2", "in_doubt"]]);
  assert.deepEqual(rowsOf(told.slice(0, 3), true).map((row) => standing(row, states)), ["", "open", "in_doubt"]);
});
