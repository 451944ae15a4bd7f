import assert from "node:assert/strict";
import { test } from "node:test";

const { differences, diffRows, summaryOf } = await import(`${process.env.STATIC}/compare/sides.js`);

const side = { state: "ok", attempts: 1, seconds: 10 };

test("two sides differ in what they came to, and in what they were given", () => {
  assert.deepEqual(differences({ a: side, b: side }), []);
  assert.deepEqual(differences({ a: side, b: { ...side, state: "failed", attempts: 2 } }), ["state", "attempts"]);
  assert.deepEqual(differences({ a: side, b: side, arguments: [{ path: "$.x" }], results: [{ path: "$" }] }), ["arguments", "result"]);
  assert.deepEqual(differences({ a: side }), ["only in A"]);
  assert.deepEqual(differences({ b: side }), ["only in B"]);
});

test("a duration differs when it is half as long again, and never by less than a second", () => {
  const took = (a, b) => differences({ a: { ...side, seconds: a }, b: { ...side, seconds: b } });
  assert.deepEqual(took(10, 14), []);
  assert.deepEqual(took(16, 10), ["duration"]);
  assert.deepEqual(took(0.1, 0.9), []);
});

test("a place that only one has is told so, and null is a value", () => {
  const places = diffRows([{ path: "$.a[0]", only: "a", a: null }, { path: "$", a: 1, b: 2 }, { path: "$['a b']", only: "b", b: 0 }]);
  assert.deepEqual(places.map((each) => [each.path, each.kind]), [["a[0]", "removed"], ["value", "changed"], ["['a b']", "added"]]);
});

test("an execution that has not ended took nothing yet", () => {
  assert.equal(summaryOf({ status: "running", started: "2026-01-01T00:00:00Z" }).took, null);
  assert.equal(summaryOf({ started: "2026-01-01T00:00:00Z", ended: "2026-01-01T00:01:00Z" }).took, 60);
});
