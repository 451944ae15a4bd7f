import assert from "node:assert/strict";
import { test } from "node:test";

const { agentTable, boundOf, coverageRows, dateText, errorRows, estimateRows, failureRows, figures, percent, seconds, table, toolTable, wholeTable, written } = await import(`${process.env.STATIC}/charts/figures.js`);

const days = [
  { date: "2026-11-15", started: 6, completed: 2, failed: 1, cancelled: 0, closed: 1, interrupted: 1, p50: 10, p95: 40, estimated: 100, actual: 150, retries: 1, unwound: 0, in_doubt: 0, asked: 2, waited: 120 },
  { date: "2026-11-16" },
];
const hour = (at) => at.slice(11, 16);
const durations = { count: 3, p50: 10, p90: 30, p95: 40, longest: 41 };
const figure = (id, of = days) => figures(of).find((each) => each.id === id);

test("a day on which nothing happened is a day with nothing, not a gap and not a failure", () => {
  assert.deepEqual(table(figure("executions")).rows, [["2026-11-15", 2, 1, 0, 1, 1, 1], ["2026-11-16", 0, 0, 0, 0, 0, 0]]);
  assert.deepEqual(figure("success").series[0].values, [2 / 3, null]);
  assert.deepEqual(figure("duration").series[1].values, [40, null]);
});

test("what was not measured is a gap, and a measured zero is a zero", () => {
  const told = [{ date: "2026-11-15", p50: 0, p95: 0, retries: null, waited: 0 }, { date: "2026-11-16" }];
  const values = (id, at = 0) => figure(id, told).series[at].values;
  assert.deepEqual(values("duration"), [0, null]);
  assert.deepEqual(values("estimate"), [null, null]);
  assert.deepEqual(values("retries"), [null, 0]);
  assert.deepEqual(values("waiting"), [0, null]);
});

test("a number that JavaScript writes otherwise than the server is a number", () => {
  const exact = { source: "60.0", valueOf: () => 60 };
  assert.deepEqual(figure("waiting", [{ date: "2026-11-15", waited: exact }]).series[0].values, [60]);
});

test("agents and tools stand side by side, the unknown as unknown", () => {
  const { header, rows } = agentTable({ codex: { started: 3, completed: 1, failed: 1, durations }, idle: { started: 1, durations: { count: 0 } } });
  assert.ok(rows.every((row) => row.length === header.length));
  assert.deepEqual(rows.map((row) => [row[0], row[2], row[9]]), [["codex", "50 %", "10 s"], ["idle", null, null]]);
  const tools = { cp: { calls: 40, failed: 3, compared: 2, estimated: 10, actual: 16, durations }, mv: { calls: 1, durations: { count: 0 } } };
  assert.deepEqual(toolTable(tools).rows[0], ["cp", 40, 3, 0, "10 s", "30 s", "40 s", "41 s"]);
  assert.deepEqual(toolTable(tools).rows[1].slice(4), [null, null, null, null]);
  assert.deepEqual(estimateRows(tools).map((row) => [row.name, row.text]), [["cp", "1.6 × (16 s for 10 s)"]]);
  assert.equal(failureRows({ cp: 3 }, tools)[0].text, "3 of 40");
  assert.deepEqual(errorRows({ timed_out: 1, new_kind: 2 }).map((row) => row.name), ["new_kind", "timed out"]);
});

test("an hour is written in the reader's zone, a day as it is", () => {
  assert.equal(dateText("2026-11-18T14:00Z", "Asia/Kolkata"), "18 Nov, 19:30");
  assert.equal(dateText("2026-11-18", "Asia/Kolkata"), "2026-11-18");
  assert.equal(figure("executions", [{ date: "2026-11-18T14:00Z" }]).title, "Executions per hour");
});

test("each figure says itself in one number", () => {
  const told = Object.fromEntries(figures(days, durations).map((each) => [each.id, each.headline]));
  assert.equal(told.executions, "6 started");
  assert.equal(told.success, "66.7 %");
  assert.equal(told.duration, "p50 10 s, p95 40 s");
  assert.equal(told.estimate, "1.5 × the estimate");
  assert.equal(told.waiting, "2 min");
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
  assert.match(boundOf({ executions: 10_000, actions: 5, whole_from: "2026-11-01T10:00:00Z" }, hour), /before 10:00 was not looked at/);
  assert.match(boundOf({ executions: 9, actions: 5, detail_from: "2026-11-01T10:00:00Z" }, hour), /durations by tool and coverage are of what was done since 10:00\./);
});
