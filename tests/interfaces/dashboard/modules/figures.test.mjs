import assert from "node:assert/strict";
import { test } from "node:test";

const { boundOf, coverageRows, figures, percent, seconds, table, wholeTable, written } = await import(`${process.env.STATIC}/charts/figures.js`);

const days = [
  { date: "2026-11-15", started: 6, completed: 2, failed: 1, cancelled: 0, closed: 1, interrupted: 1, p50: 10, p95: 40, estimated: 100, actual: 150, retries: 1, unwound: 0, in_doubt: 0, asked: 2, waited: 120 },
  { date: "2026-11-16" },
];
const figure = (id, of = days) => figures(of).find((each) => each.id === id);

test("a day on which nothing happened is a day with nothing, not a gap and not a failure", () => {
  assert.deepEqual(table(figure("executions")).rows, [["2026-11-15", 2, 1, 0, 1, 1, 1], ["2026-11-16", 0, 0, 0, 0, 0, 0]]);
  assert.deepEqual(figure("success").series[0].values, [2 / 3, null]);
  assert.deepEqual(figure("duration").series[1].values, [40, null]);
});

test("each figure says itself in one number", () => {
  const told = Object.fromEntries(figures(days).map((each) => [each.id, each.headline]));
  assert.equal(told.executions, "6 started");
  assert.equal(told.success, "66.7 %");
  assert.equal(told.duration, "p50 10 s");
  assert.equal(told.estimate, "1.5 × the estimate");
  assert.equal(told.waiting, "60 s per question");
  assert.equal(figure("success", []).headline, "–");
});

test("no two series of a figure look alike without their colour", () => {
  for (const each of figures(days)) {
    const looks = each.series.map((series) => `${series.form} ${series.pattern ?? ""}`);
    assert.equal(new Set(looks).size, looks.length, each.id);
  }
});

test("everything shown is in the exported table", () => {
  const whole = wholeTable(figures(days));
  assert.equal(whole.rows.length, 2);
  assert.ok(whole.rows.every((row) => row.length === whole.header.length));
  assert.ok(whole.header.includes("duration: p95 (s)"));
});

test("numbers are written shortly", () => {
  assert.deepEqual([0, 0.25, 90, 1800, 9000, 400_000].map(seconds), ["0", "250 ms", "90 s", "30 min", "2.5 h", "4.6 d"]);
  assert.equal(percent(0.12345), "12.3 %");
  assert.equal(written(null, "seconds"), "–");
});

test("coverage is what was seen of what is known, and what the figures are of is said", () => {
  const [row] = coverageRows({ codex: { observed: 9, claimed: 3, in_doubt: 1 } });
  assert.deepEqual([row.value, row.text], [0.75, "75 % of 12, 1 in doubt"]);
  assert.equal(coverageRows({ "": {} })[0].text, "no calls");
  assert.match(boundOf({ executions: 10_000, actions: 5, whole_from: "2026-11-01T10:00:00Z" }), /before 2026-11-01 was not looked at/);
});
