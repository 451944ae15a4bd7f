import assert from "node:assert/strict";
import { test } from "node:test";

const { changes, folded, lines, pathText, same } = await import(`${process.env.STATIC}/diff/json.js`);
const { read: parsed } = await import(`${process.env.STATIC}/json/parser.js`);

const read = (found) => found.map((each) => `${each.change} ${pathText(each.path)}`);
const text = (found) => found.map((line) => line.mark + " ".repeat(line.depth) + line.text).join("\n");

test("an argument that was added, removed or changed is told by its path", () => {
  const before = { amount: 40, to: { iban: "DE1", name: "Ada" }, urgent: true };
  const after = { amount: 30, to: { iban: "DE1" }, note: "half" };
  assert.deepEqual(read(changes(before, after)), ["changed amount", "removed to.name", "removed urgent", "added note"]);
});

test("the order of keys is no change", () => {
  assert.deepEqual(changes({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }), []);
});

test("null, false, 0, an empty text and nothing at all are five different things", () => {
  const values = [null, false, 0, ""];
  for (const one of values) for (const other of values) assert.equal(same(one, other), Object.is(one, other));
  assert.deepEqual(read(changes({ a: null }, {})), ["removed a"]);
  assert.deepEqual(read(changes({}, { a: null })), ["added a"]);
});

test("a step that moved is followed by its id", () => {
  const before = [{ id: "copy", title: "Copy" }, { id: "switch", title: "Switch" }];
  const after = [{ id: "check", title: "Check" }, { id: "copy", title: "Copy it" }, { id: "switch", title: "Switch" }];
  assert.deepEqual(read(changes(before, after)), ["added [0]", "changed [1].title"]);
});

test("an item that was put in between leaves the others alone", () => {
  assert.deepEqual(read(changes(["a", "b", "c"], ["a", "x", "b", "c"])), ["added [1]"]);
  assert.deepEqual(read(changes([1, 2, 3], [1, 9, 3])), ["changed [1]"]);
});

test("a key that is no plain word stands in quotes, and hostile keys are keys", () => {
  const hostile = JSON.parse('{"__proto__": {"x": 1}, "a b": 1, "<img>": 2}');
  assert.deepEqual(read(changes({}, hostile)), ['added __proto__', 'added ["a b"]', 'added ["<img>"]']);
  assert.equal({}.x, undefined);
});

test("the lines hold both values: without the added ones the old, without the removed ones the new", () => {
  const before = { a: [1, { b: "x" }], c: {}, d: "old" };
  const after = { a: [1, { b: "y" }, 3], c: {}, e: [] };
  const written = lines(before, after);
  const without = (mark) => {
    const kept = written.filter((line) => line.mark !== mark).map((line) => line.text.replace(/,$/, ""));
    const opens = (line) => /[[{]$/.test(line);
    const closes = (line) => line === undefined || /^[\]}]/.test(line);
    return JSON.parse(kept.map((line, at) => line + (opens(line) || closes(kept[at + 1]) ? "" : ",")).join("\n"));
  };
  assert.deepEqual(without("+"), before);
  assert.deepEqual(without("-"), after);
});

test("a text of several lines is compared line by line", () => {
  const written = text(lines({ file: "one\ntwo\nthree" }, { file: "one\n2\nthree" }));
  assert.equal(written, ' {\n  "file": """\n   one\n-  two\n+  2\n   three\n  """\n }');
});

test("long unchanged stretches are folded, with some lines kept around each change", () => {
  const before = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const after = before.with(50, "changed");
  const shown = folded(lines(before, after));
  assert.equal(shown.length, 2 + 3 + 2 + 3);
  assert.equal(shown[0].folded.length + shown.at(-1).folded.length + 8, lines(before, after).length);
});

test("values too deep or too long to compare piece by piece are compared all the same", () => {
  const deep = (leaf) => Array.from({ length: 500 }).reduce((inner) => [inner], leaf);
  assert.equal(changes(deep(1), deep(2)).length, 1);
  const long = Array.from({ length: 3000 }, (_, at) => at);
  assert.equal(changes(long, long.map((each) => -each - 1)).length, 3000);
});

test("numbers are compared as they were written: no two become one", () => {
  const before = parsed('{"v": 9007199254740992, "w": 9007199254740993, "r": 1.0, "s": 1.0}');
  const after = parsed('{"v": 9007199254740993, "w": 9007199254740993, "r": 1, "s": 1.0}');
  assert.deepEqual(read(changes(before, after)), ["changed v", "changed r"]);
  assert.equal(text(lines(before, after)), ' {\n- "v": 9007199254740992,\n+ "v": 9007199254740993,\n  "w": 9007199254740993,\n- "r": 1.0,\n+ "r": 1,\n  "s": 1.0\n }');
  assert.equal(same(parsed("[1.0]"), parsed("[1.0]")), true);
});

test("lines of a text are told from lines of the value", () => {
  const written = lines({ note: "a\nb", amount: 1 }, { note: 'a\n"""\n"amount": 5', amount: 2 });
  assert.deepEqual(written.filter((line) => line.text.includes("amount")).map((line) => [line.text, line.within ?? false]), [
    ['"amount": 5', true], ['"amount": 1', false], ['"amount": 2', false],
  ]);
});
