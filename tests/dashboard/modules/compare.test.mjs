import assert from "node:assert/strict";
import { test } from "node:test";

const { differences, summaryOf } = await import(`${process.env.STATIC}/compare/sides.js`);

test("two sides differ in what they came to, and in what they were given", () => {
  const side = { state: "done", attempts: 1, seconds: 10, arguments: { a: 1, b: 2 } };
  assert.deepEqual(differences(side, { ...side, arguments: { b: 2, a: 1 } }), []);
  assert.deepEqual(differences(side, { ...side, state: "failed", error: "no" }), ["state", "error"]);
  assert.deepEqual(differences(side, { ...side, arguments: { a: 1 } }), ["arguments"]);
  assert.deepEqual(differences(side, null), ["only in A"]);
  assert.deepEqual(differences(null, side), ["only in B"]);
});

test("a duration differs when it is half as long again, and never by less than a second", () => {
  const took = (seconds) => ({ state: "done", seconds });
  assert.deepEqual(differences(took(10), took(14)), []);
  assert.deepEqual(differences(took(16), took(10)), ["duration"]);
  assert.deepEqual(differences(took(0.1), took(0.9)), []);
});

test("an execution that has not ended took nothing yet", () => {
  assert.equal(summaryOf({ status: "running", started: "2026-01-01T00:00:00Z" }).took, null);
  assert.equal(summaryOf({ started: "2026-01-01T00:00:00Z", ended: "2026-01-01T00:01:00Z" }).took, 60);
});
