import assert from "node:assert/strict";
import { test } from "node:test";

const { beginning, nameText, visibleText, visibleJson, visible } = await import(`${process.env.STATIC}/ui/visible.js`);

const shown = (text) => visible(text).map((part) => (typeof part === "string" ? part : `<${part.mark}>`)).join("");

test("what would not be seen is written as its escape, in a mark of its own", () => {
  assert.equal(shown("abc\u202ednuof\u202c"), "abc<\\u202e>dnuof<\\u202c>");
  assert.equal(shown("pay\u200bpal"), "pay<\\u200b>pal");
  assert.equal(shown("a\u0000\u001b[31m\u009b\r"), "a<\\x00\\x1b>[31m<\\x9b\\r>");
  assert.equal(shown("\u{e0041}\ufeff\u00ad\u3164\u2800"), "<\\U000e0041\\ufeff\\xad\\u3164\\u2800>");
  assert.equal(shown("1\u00a0000\u2003x\ud800"), "1<\\xa0>000<\\u2003>x<\\ud800>");
  assert.equal(visible("\u202e")[0].title, "U+202E: would not be seen");
});

test("a text that only looks like an escape is no mark", () => {
  assert.deepEqual(visible("\\u202e"), ["\\u202e"]);
});

test("what is seen stays as it is, in every script", () => {
  for (const text of ["", "plain", "Grüße, 世界", "👩‍💻 ❤️ 1️⃣ 🏳️‍🌈 👍🏽", "می‌خواهم", "क्‍ष", "a\tb", "e\u0301", "שלום"]) assert.deepEqual(visible(text).join(""), text);
});

test("a joiner where nothing joins, and a selector where there is nothing to select, only hide", () => {
  assert.equal(shown("pay\u200dpal\u200c"), "pay<\\u200d>pal<\\u200c>");
  assert.equal(shown("5\ufe0f0\ufe01"), "5<\\ufe0f>0<\\ufe01>");
});

test("a line break is a mark where a text stands in one line, and many spaces are counted", () => {
  assert.equal(shown("a\nb"), "a<↵>b");
  assert.equal(shown(`x${" ".repeat(300)}hidden`), "x<300 spaces>hidden");
  assert.equal(shown(`x${" ".repeat(39)}y`), `x${" ".repeat(39)}y`);
});

test("JSON with escapes in it is the same value, and nothing in it is unseen", () => {
  const value = { "k\u200by": "abc\u202e\u{e0041}\u00a0é\n\t" };
  const text = visibleJson(JSON.stringify(value, null, 2));
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /\\u200b.*\\u202e\\udb40\\udc41\\u00a0é\\n/s);
  assert.equal(text.split("\n").length, 3);
});

test("a name that could pass for a name and a value stands in quotes", () => {
  assert.deepEqual(["amount", "größe_2", "a: 1", "a\nb", "", '"x"', "5"].map(nameText), ["amount", "größe_2", '"a: 1"', '"a\\nb"', '""', '"\\"x\\""', '"5"']);
});

test("one text for labels", () => {
  assert.equal(visibleText("pay\u202e now\n"), "pay\\u202e now\n");
  assert.equal(beginning("ab😀c", 3), "ab");
});
