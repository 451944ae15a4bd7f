import assert from "node:assert/strict";
import { test } from "node:test";

const { callFields, callText, columnsOf, filledUndo, summaryOf } = await import(`${process.env.STATIC}/approvals/call_fields.js`);
const { read } = await import(`${process.env.STATIC}/json/parser.js`);

const names = (fields) => fields.map(({ path }) => path.join("."));

test("switches come first, then amounts, then targets, and plain values after them", () => {
  const { first, plain } = callFields({ note: "x", to: "ada", amount: 4, dryRun: false, force: true, colour: "red" });
  assert.deepEqual(names(first), ["dryRun", "force", "amount", "to"]);
  assert.deepEqual(names(plain), ["note", "colour"]);
  assert.deepEqual(first.map(({ note }) => note), ["not a rehearsal", "is on", "", ""]);
});

test("what is dangerous within an object is listed first, and stays where it is", () => {
  const { first, nested } = callFields({ options: { deep: { skip_backup: true }, colour: "red" } });
  assert.deepEqual(names(first), ["options.deep.skip_backup"]);
  assert.deepEqual(nested, [["options", { deep: { skip_backup: true }, colour: "red" }]]);
});

test("every argument is in exactly one part of the call", () => {
  const call = { a: 1, b: [1], c: { d: 1 }, e: null, f: [], g: {}, force: "no" };
  const { first, plain, lists, nested } = callFields(call);
  const shown = [...first, ...plain].filter(({ path }) => path.length === 1).map(({ path }) => path[0]);
  assert.deepEqual([...shown, ...lists.map(([name]) => name), ...nested.map(([name]) => name)].sort(), Object.keys(call).sort());
});

test("a list of numbers has its range and its exact sum", () => {
  assert.equal(summaryOf([0.1, 0.2, 10]), "0.1 to 10.0, together 10.3");
  assert.equal(summaryOf(read("[9007199254740993, 1.0, -2.5]")), "-2.5 to 9007199254740993.0, together 9007199254740991.5");
  assert.equal(summaryOf(read("[1e3, 2]")), "1 × 1e3, 1 × 2");
});

test("a list of texts says how many are different, and whether some are repeated", () => {
  assert.equal(summaryOf(["a", "a", "a"]), 'the same in all 3: "a"');
  assert.equal(summaryOf(["a", "b", "a"]), '2 × "a", 1 × "b"');
  assert.equal(summaryOf(["a", "b", "c", "d", "a"]), "4 different, 1 of them more than once");
});

test("the columns of a list are all names of its objects, also rare ones", () => {
  assert.deepEqual(columnsOf([{ a: 1 }, { b: 2 }]), ["a", "b"]);
  assert.deepEqual(columnsOf([{ a: 1 }, 2]), []);
});

test("a call in one line names the tool, what is dangerous, and how long its lists are", () => {
  assert.equal(callText("pay", { note: "x · force false" }), 'pay · note "x · force false"');
  assert.equal(callText("pay", { to: ["a", "b"], amount: 40, dry_run: false, more: { x: 1 } }), "pay · dry_run false · amount 40 · 2 to · more {…}");
});

test("an undo is filled in from the arguments, and what comes from the result waits", () => {
  const undo = { tool: "reopen", arguments: { mode: "${arguments.mode}", of: "in ${arguments.deep.list.0}", batch: "${result.id}", none: "${arguments.none}" } };
  const { undo: filled, waits } = filledUndo(undo, { mode: 7, deep: { list: ["x"] } });
  assert.deepEqual(filled.arguments, { mode: 7, of: "in x", batch: "${result.id}", none: "${arguments.none}" });
  assert.equal(waits, true);
  assert.equal(filledUndo("put ${arguments.secret} back", { secret: "[masked: token]" }).undo, "put ${arguments.secret} back");
});
