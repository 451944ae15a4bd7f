import assert from "node:assert/strict";
import { test } from "node:test";

const { folded, lengthOf, pieces, ticks } = await import(`${process.env.STATIC}/timeline/scale.js`);
const { arrange } = await import(`${process.env.STATIC}/timeline/lanes.js`);
const { marks } = await import(`${process.env.STATIC}/timeline/marks.js`);

const at = (seconds) => new Date(1_700_000_000_000 + seconds * 1000).toISOString();
const line = (id, from, to, more = {}) => ({
  id, seq: Number(id.slice(1)) || 1, state: "ok", begun: at(from), ended: to === undefined ? "" : at(to), actor: "ada", actor_kind: "agent", ...more,
});

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

test("what overlaps lies in rows of its own, and each agent has a lane with its sub-agents below", () => {
  const { lanes } = arrange(
    [line("a1", 0, 10), line("a2", 5, 12), line("a3", 11, 13), line("a4", 1, 2, { actor: "bob" }), line("a5", 1, 2, { actor: "ada/tester", actor_kind: "sub-agent" })],
    0,
  );
  assert.deepEqual(lanes.map((lane) => lane.name), ["ada", "ada/tester", "bob"]);
  assert.deepEqual(lanes[0].bars.map((bar) => bar.row), [0, 1, 0]);
  assert.deepEqual(lanes.map((lane) => lane.rows), [2, 1, 1]);
});

test("what has no end reaches to where the record ends", () => {
  const edge = Date.parse(at(90));
  const { lanes } = arrange([line("a1", 0, undefined, { state: "in_doubt" })], edge);
  assert.equal(lanes[0].bars[0].to, edge);
  assert.equal(marks(lanes, (time) => (time - Date.parse(at(0))) / 100, 1000, () => 0)[0].open, true);
});

test("ten thousand actions are few marks, none is lost, and failures among them show where they were", () => {
  const many = Array.from({ length: 10_000 }, (_, place) => line(`a${place}`, place, place + 0.9, place % 1000 === 500 ? { state: "failed" } : {}));
  const { lanes } = arrange(many, 0);
  const drawn = marks(lanes, (time) => (time - Date.parse(at(0))) / 10_000, 1000, () => 0);
  assert.ok(drawn.length <= 700);
  assert.equal(drawn.reduce((sum, mark) => sum + mark.count, 0), 10_000);
  assert.equal(drawn.flatMap((mark) => mark.problems).length, 10);
  const near = marks(lanes, (time) => (time - Date.parse(at(0))) / 10, 1000, () => 0);
  assert.ok(near.length > 5 && near.every((mark) => mark.count === 1));
});
