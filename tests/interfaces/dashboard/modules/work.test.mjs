import assert from "node:assert/strict";
import { test } from "node:test";

const { folded, lengthOf, pieces, ticks } = await import(`${process.env.STATIC}/work/scale.js`);
const { listed } = await import(`${process.env.STATIC}/work/rows.js`);

const page = (...rows) => ({ cursor: "", next: "", stale: false, rows });
const action = (id, more = {}) => ({ kind: "action", id, state: "ok", tool: "put", actor: "ada", ...more });
const group = (id, count, more = {}) => action(id, { kind: "group", count, states: { ok: count }, ...more });

test("a night between two minutes of work is folded, and a short break is not", () => {
  const hour = 3_600_000;
  const night = pieces([{ from: 0, to: 60_000 }, { from: 8 * hour, to: 8 * hour + 60_000 }]);
  assert.deepEqual(night.map((piece) => piece.gap), [false, true, false]);
  assert.ok(lengthOf(night) < 130_000);
  const pause = pieces([{ from: 0, to: 60_000 }, { from: 80_000, to: 140_000 }]);
  assert.deepEqual(pause.map((piece) => piece.gap), [false]);
});

test("a later moment is never drawn before an earlier one", () => {
  const found = pieces([{ from: 0, to: 1000 }, { from: 500_000, to: 501_000 }, { from: 9e6, to: 9.1e6 }]);
  let last = -1;
  for (let time = 0; time <= 9.1e6; time += 12_345) {
    const place = folded(found, time);
    assert.ok(place >= last);
    last = place;
  }
  assert.equal(folded(found, 0), 0);
  assert.equal(folded(found, 9.1e6), lengthOf(found));
});

test("what is written on the axis is round, and stands in no silence", () => {
  const found = pieces([{ from: 0, to: 600_000 }, { from: 36e6, to: 36.6e6 }]);
  const place = (time) => (time / lengthOf(found)) * 1000;
  const { step, marks: written } = ticks(found, place, { from: 0, to: lengthOf(found) }, 80, 0);
  assert.ok(written.length > 3);
  assert.ok(written.every(({ time }) => time % step === 0));
  assert.ok(written.every(({ time }) => time <= 600_000 || time >= 36e6));
});

test("a group that goes on in the next page is one row with the counts of both", () => {
  const pages = [page(action("a1", { tool: "open" }), group("a2", 900)), page(group("a902", 100, { state: "failed", states: { ok: 98, failed: 2 }, error: "disk full" }), action("a1002"))];
  const { rows, pageOf } = listed({ pages, open: new Map() });
  assert.deepEqual(rows.map((row) => [row.id, row.count]), [["a1", undefined], ["a2", 1000], ["a1002", undefined]]);
  assert.deepEqual(rows[1].states, { ok: 998, failed: 2 });
  assert.deepEqual([rows[1].state, rows[1].error], ["failed", "disk full"]);
  assert.deepEqual(pageOf, [0, 0, 1]);
});

test("the actions of an unfolded group stand below it, each with a key of its own", () => {
  const inside = [action("a2"), action("a3")];
  const { rows } = listed({ pages: [page(group("a2", 2), action("a4"))], open: new Map([["group a2", { rows: inside, next: "" }]]) });
  assert.deepEqual(rows.map((row) => [row.id, row.depth]), [["a2", 0], ["a2", 1], ["a3", 1], ["a4", 0]]);
  assert.equal(new Set(rows.map((row) => row.key)).size, 4);
});

test("a group that goes on in the next page has one header when it is unfolded, which says how much is shown", () => {
  const pages = [page(group("a1", 200)), page(group("a201", 100, { states: { ok: 96, failed: 4 } }), action("a301"))];
  const inside = Array.from({ length: 250 }, (_, at) => action(`a${at + 1}`));
  const { rows, pageOf } = listed({ pages, open: new Map([["group a1", { rows: inside, next: "a:a250" }]]) });
  assert.deepEqual([rows[0].count, rows[0].shown, rows[0].states], [300, 250, { ok: 296, failed: 4 }]);
  assert.deepEqual(rows.slice(-3).map((row) => [row.kind, row.id]), [["action", "a250"], ["rest", ""], ["action", "a301"]]);
  assert.equal(rows.filter((row) => row.kind === "group").length, 1);
  assert.equal(new Set(rows.map((row) => row.key)).size, rows.length);
  assert.equal(pageOf.length, rows.length);
});
