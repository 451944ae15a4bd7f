import assert from "node:assert/strict";
import { test } from "node:test";

const { Exact, numberOf } = await import(`${process.env.STATIC}/json/exact_number.js`);
const { Malformed, read, readTyped } = await import(`${process.env.STATIC}/json/parser.js`);
const { write } = await import(`${process.env.STATIC}/json/serializer.js`);

const DELICATE = ["1234567890123456789", "-9007199254740993", "1.0", "0.0", "-0", "-0.0", "1e400", "1E5", "1e5", "0.10", "0.1234567890123456789", "100e-2"];
const PLAIN = ["0", "1", "-1", "9007199254740991", "0.1", "1e-7", "1e+21", "123.456", "100000000000000000000"];

test("a number that a double would change is kept as it was written, and others are numbers", () => {
  for (const source of DELICATE) assert.ok(numberOf(source) instanceof Exact, source);
  for (const source of PLAIN) assert.equal(numberOf(source), Number(source), source);
});

test("whatever is read is written again as it was, wherever it stands", () => {
  for (const number of [...DELICATE, ...PLAIN]) {
    for (const text of [number, `[${number}]`, `{"a":[1,{"b":${number}}],"c":"x"}`, `[[${number},${number}],true]`]) {
      assert.equal(write(read(text)), text);
      assert.equal(write(readTyped(text)), text);
    }
  }
});

test("an exact number counts in sums as the nearest double, and reads as it was written", () => {
  const { wait } = read('{"wait": 1.0}');
  assert.equal(wait * 1000, 1000);
  assert.equal(`${wait} s`, "1.0 s");
});

test("other values are read as the browser reads them", () => {
  const text = ' {"a": [], "b": {}, "c": [1, -2, 0.5, true, false, null], "\\u0064\\n": "\\"\\\\ \\ud83d\\ude00 \\ud800 é", "": "[1.0, 2.50]", "__proto__": {"x": 1}} ';
  assert.deepEqual(readTyped(text), JSON.parse(text));
  assert.deepEqual(Object.keys(readTyped(text)), Object.keys(JSON.parse(text)));
  assert.equal({}.x, undefined);
});

test("what the browser refuses is refused", () => {
  const wrong = ["", " ", "{", "}", "[1,]", '{"a":1,}', "{a:1}", "{'a':1}", '{"a" 1}', "01", "1.", ".5", "+1", "1e", "NaN", "Infinity", "tru", "nulls", '"a', '"\n"', '"\\x"', '"\\u12"', "[1 2]", "1 2", "[1]]", "\u00a01", "--1", "/**/1"];
  for (const text of wrong) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    assert.throws(() => readTyped(text), Malformed, text);
  }
});

test("a duplicate name is rejected, also if it is escaped differently", () => {
  for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":1}', '[{"b":{"x":1,"y":2,"x":3}}]', '{"__proto__":1,"__proto__":2}']) {
    assert.throws(() => readTyped(text), /appears twice/, text);
  }
  assert.deepEqual(readTyped('{"a":{"a":1},"b":{"a":1}}'), { a: { a: 1 }, b: { a: 1 } });
});

test("values are written as the browser writes them", () => {
  const values = [null, true, "", "é\u2028\ud800\"\\\n\u0000", 0.1, -5, [], {}, [[]], [{}], { a: undefined, b: [undefined, 1] }, { x: { y: [1, { z: null }] }, 'k"ey': "v" }];
  for (const value of values) {
    for (const indent of [0, 1, 2]) assert.equal(write(value, { indent }), JSON.stringify(value, null, indent));
  }
});

test("sorted, the same value is the same text", () => {
  assert.equal(write({ b: 1, a: { d: 1, c: [{ f: 1, e: 2 }] } }, { sorted: true }), '{"a":{"c":[{"e":2,"f":1}],"d":1},"b":1}');
});
