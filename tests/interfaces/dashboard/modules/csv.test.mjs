import assert from "node:assert/strict";
import { test } from "node:test";

const { csv } = await import(`${process.env.STATIC}/csv.js`);

test("commas, quotes and line ends stay within their cell", () => {
  assert.equal(csv(["a", "b"], [['x,"y"', "1\n2"]]), 'a,b\r\n"x,""y""","1\n2"\r\n');
});

test("what a spreadsheet would run as a formula is text, and numbers are numbers", () => {
  assert.equal(csv(["a"], [["=1+1"], ["@x"], ["-rm"], [-1.5], [null], [NaN]]), "a\r\n'=1+1\r\n'@x\r\n'-rm\r\n-1.5\r\n\r\n\r\n");
});
