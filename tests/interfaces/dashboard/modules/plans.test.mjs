import assert from "node:assert/strict";
import { test } from "node:test";

const { headChanges, policyOf, stepChanges, undoOf } = await import(`${process.env.STATIC}/plans/words.js`);

const step = (id, more = {}) => ({ id, title: id, cancellable: "reversible", ...more });
const told = (rows) => rows.map((row) => [row.id, row.change, ...row.fields].join(" "));

test("steps are followed by their id: added, changed, moved, and gone where they were", () => {
  const before = [step("copy"), step("check"), step("switch"), step("tell")];
  const after = [step("copy"), step("switch", { estimate: 5 }), step("verify"), step("tell")];
  assert.deepEqual(told(stepChanges(before, after)), ["copy same", "check removed", "switch changed estimate", "verify added", "tell same"]);
  assert.deepEqual(told(stepChanges([step("a"), step("b")], [step("b"), step("a")])), ["b moved", "a moved"]);
  assert.deepEqual(told(stepChanges([step("a"), step("b")], [step("a")])), ["a same", "b removed"]);
});

test("what stands around the steps is compared too", () => {
  assert.deepEqual(headChanges({ title: "a", goal: "x" }, { title: "a" }), [{ name: "goal", before: "x", after: "" }]);
});

test("an undo and a policy may be written in several ways", () => {
  assert.equal(undoOf(""), null);
  assert.equal(undoOf({}), null);
  assert.deepEqual(undoOf("put it back"), { words: "put it back", tool: "" });
  assert.equal(undoOf({ tool: "rm", arguments: { path: "x" } }).tool, "rm");
  assert.equal(policyOf({}).action, "manual_decision");
  assert.equal(policyOf({ failure_policy: "cancel_all" }).action, "cancel_all");
  assert.equal(policyOf({ failure_policy: { action: "continue_others", reason: "why not" } }).reason, "why not");
});
