import assert from "node:assert/strict";
import { test } from "node:test";

const { answerOf, readArguments, refusal } = await import(`${process.env.STATIC}/approvals/answer.js`);
const { read } = await import(`${process.env.STATIC}/json/parser.js`);
const { write } = await import(`${process.env.STATIC}/json/serializer.js`);
const { remaining, soonestFirst } = await import(`${process.env.STATIC}/approvals/time_left.js`);

const asked = { id: "ap_1", status: "pending", asked: "", arguments: { amount: 40, to: "x" } };

test("accepting sends no arguments: what is granted is what was asked", () => {
  assert.deepEqual(answerOf(asked, "approve", { reason: " fine ", text: '{"amount": 1}', answer: "x" }), {
    body: { verdict: "approve", reason: "fine" },
  });
});

test("an edit sends exactly what was typed, and never an edit that changes nothing", () => {
  assert.deepEqual(answerOf(asked, "edit", { text: '{"amount": 30, "to": "x"}' }), {
    body: { verdict: "edit", arguments: { amount: 30, to: "x" } },
  });
  assert.equal(answerOf(asked, "edit", { text: '{"to": "x", "amount": 40}' }).field, "arguments");
});

test("an edit that is no JSON object is refused, with the line", () => {
  assert.equal(readArguments('{\n  "a": 1,\n  "b": oops\n}').line, 3);
  assert.equal(readArguments('{\n  "a": 1\n').line, 3);
  for (const text of ["[]", "null", "1", '"x"', ""]) assert.ok(readArguments(text).problem, text);
});

test("an edit of another field leaves each number as it was asked, and what is typed is what is sent", () => {
  const call = { ...asked, arguments: read('{"id": 1234567890123456789, "ratio": 1.0, "note": "x"}') };
  const { body } = answerOf(call, "edit", { text: '{"id": 1234567890123456789, "ratio": 1.0, "note": "y"}' });
  assert.equal(write(body), '{"verdict":"edit","arguments":{"id":1234567890123456789,"ratio":1.0,"note":"y"}}');
  assert.equal(write(answerOf(call, "edit", { text: '{"id": 1.50}' }).body.arguments), '{"id":1.50}');
  assert.ok("problem" in answerOf(call, "edit", { text: write(call.arguments) }));
});

test("an edit with a duplicate name is rejected with its line", () => {
  const told = readArguments('{\n  "amount": 1,\n  "amount": 90000\n}');
  assert.deepEqual(told, { problem: 'The name "amount" appears twice. Check line 3.', line: 3 });
  assert.ok(readArguments("1.0").problem);
  assert.match(readArguments("[".repeat(200000)).problem, /too deep/);
});

test("a response needs words", () => {
  assert.equal(answerOf(asked, "respond", { answer: "  " }).field, "answer");
  assert.deepEqual(answerOf(asked, "respond", { answer: "web-9" }).body, { verdict: "respond", answer: "web-9" });
});

test("a late answer, or one after another person's, says why it was not used", () => {
  assert.match(refusal({}, { ...asked, status: "expired" }), /^Too late: the question has expired. Nothing was granted/);
  const taken = { ...asked, status: "reject", decided_by: "grace" };
  assert.equal(refusal({}, taken), "The question was already answered by grace: rejected. Your answer was not used.");
  assert.equal(refusal({ message: "Odd.", hint: "Look." }, asked), "Odd. Look.");
});

test("the clock counts down and never says that time is left when it is over", () => {
  const at = (left) => remaining(new Date(1_000_000 + left).toISOString(), 1_000_000);
  assert.deepEqual([at(3 * 86_400_000).text, at(3 * 86_400_000).urgency], ["3 d left", "calm"]);
  assert.equal(at(25 * 60_000).text, "25 min left");
  assert.deepEqual([at(119 * 60_000).text, at(179 * 60_000).text], ["119 min left", "2 h left"]); // never more than there is
  assert.deepEqual([at(90_000).text, at(90_000).urgency], ["90 s left", "soon"]);
  assert.deepEqual([at(1).text, at(0).text, at(-5).urgency], ["1 s left", "expired", "over"]);
  assert.equal(remaining("", 0).urgency, "none");
});

test("the clock says when its text changes", () => {
  for (const left of [1, 999, 1000, 1001, 119_999, 120_000, 5_000_000, 200_000_000]) {
    const first = remaining(new Date(left).toISOString(), 0);
    assert.equal(remaining(new Date(left).toISOString(), first.next - 1).text, first.text);
    assert.notEqual(remaining(new Date(left).toISOString(), first.next).text, first.text);
  }
});

test("the soonest to lapse stands first, and what never lapses last, the oldest first", () => {
  // Handles tell the order also of what was asked within one millisecond.
  const asked = (id, expires = "") => ({ id, asked: "2026-01-01T00:00:00.000Z", expires });
  const given = [asked("ap_b2"), asked("ap_b1"), asked("later", "2026-03-01T00:00:00Z"), asked("soon", "2026-02-01T00:00:00Z")];
  assert.deepEqual(soonestFirst(given).map((each) => each.id), ["soon", "later", "ap_b1", "ap_b2"]);
});
