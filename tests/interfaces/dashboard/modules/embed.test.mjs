import assert from "node:assert/strict";
import { test } from "node:test";

const { followFrames, framer } = await import(`${process.env.STATIC}/embed/stream.js`);
const { hosted } = await import(`${process.env.STATIC}/embed/styles.js`);

const TEXT = 'retry: 1000\n\n: heartbeat\n\nid: 7\nevent: action_ended\ndata: {"seq": 7}\n\nid: 8\nevent: x\ndata: one\ndata: two\n\n';

test("frames are the same however the network cuts them", () => {
  const whole = framer()(TEXT);
  assert.deepEqual(whole, [{ id: "7", event: "action_ended", data: '{"seq": 7}' }, { id: "8", event: "x", data: "one\ntwo" }]);
  for (let size = 1; size < 20; size += 1) {
    const frames = framer();
    const parts = TEXT.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")).flatMap((part) => frames(part));
    assert.deepEqual(parts, whole, `cut after each ${size}`);
  }
});

test("a frame whose end has not come is no frame", () => {
  assert.deepEqual(framer()("id: 1\nevent: a\ndata: b\n"), []);
});

test("who was cut off goes on behind the last entry that was heard", async () => {
  const asked = [];
  const heard = [];
  const bodies = ["id: 4\nevent: a\ndata: 1\n\nid: 5\nevent: a\nda", "id: 5\nevent: a\ndata: 2\n\n"];
  await new Promise((done) => {
    const stop = followFrames(
      async (after) => {
        asked.push(after);
        const body = bodies.shift();
        return new Response(body ?? "", { status: body ? 200 : 503 });
      },
      { onState: () => {}, onFrame: (frame) => (heard.push(frame.data), heard.length === 2 && (stop(), done())) },
    );
  });
  assert.deepEqual(asked, [0, 4]);
  assert.deepEqual(heard, ["1", "2"]);
});

test("what is said of the document is said of the host", () => {
  assert.equal(hosted(':root { --a: 1 }\n:root[data-theme="dark"] { --a: 2 }'), ':host { --a: 1 }\n:host([data-theme="dark"]) { --a: 2 }');
  assert.equal(hosted("html {\n}\n\nbody {\n}\n.body { }\nhtmlx { }"), ":host {\n}\n\n:host {\n}\n.body { }\nhtmlx { }");
});
