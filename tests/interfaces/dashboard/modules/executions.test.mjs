import assert from "node:assert/strict";
import { test } from "node:test";

const { OPEN, asked, parse, toggled, write, wrongStatus } = await import(`${process.env.STATIC}/executions/query.js`);

test("what is typed becomes what the server is asked for", () => {
  const terms = parse('status:failed tool:Bash agent:codex since:2d disk "no space"');
  assert.deepEqual(asked(terms), { status: ["failed"], actor: "codex", since: "2d", text: "Bash disk no space" });
});

test("open stands for every state that is not final, and several states may be named", () => {
  assert.deepEqual(asked(parse("status:open")).status, OPEN);
  assert.deepEqual(asked(parse("status:failed,cancelled status:paused")).status, ["failed", "cancelled", "paused"]);
});

test("a word with a colon that is no field is a word", () => {
  assert.deepEqual(asked(parse("http://x error:42")).text, "http://x error:42");
});

test("what was read can be written again", () => {
  for (const text of ["", "status:failed", 'agent:"my agent" since:2d words', "only:in_doubt"]) assert.equal(write(parse(text)), text);
});

test("a quick filter goes on and off, and of states only one is on", () => {
  const failed = { field: "status", value: "failed" };
  assert.equal(write(toggled(parse("agent:ada"), failed)), "agent:ada status:failed");
  assert.equal(write(toggled(parse("agent:ada status:failed"), failed)), "agent:ada");
  assert.equal(write(toggled(parse("agent:ada only:in_doubt"), failed)), "agent:ada status:failed");
});

test("the words that the page shows for states filter, and a wrong word is told them", () => {
  for (const text of ["status:waiting", 'status:"waiting for a person"', "status:Waiting"]) assert.deepEqual(asked(parse(text)).status, ["waiting", "blocked"]);
  assert.equal(wrongStatus(parse("status:waiting,interrupted status:open words")), null);
  const { message, hint } = wrongStatus(parse("status:done"));
  assert.match(message, /“done” is no state/);
  assert.match(hint, /running, .*waiting, open\./);
});
