/** Reads server-sent events with fetch, because an EventSource cannot send a token. */

/** @typedef {{id: string, event: string, data: string}} Frame */

/**
 * Splits a stream of text into frames, however it arrives.
 * @returns {(chunk: string) => Frame[]}
 */
export function framer() {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop() ?? "";
    return blocks.map(read).filter((frame) => frame.event || frame.data);
  };
}

/** @param {string} block */
function read(block) {
  const frame = { id: "", event: "", data: "" };
  /** @type {string[]} */
  const data = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "id") frame.id = value;
    else if (name === "event") frame.event = value;
    else if (name === "data") data.push(value);
  }
  return { ...frame, data: data.join("\n") };
}

const MIN_RETRY_MILLISECONDS = 500;
const MAX_RETRY_MILLISECONDS = 15_000;

/**
 * Follows the journal until stopped; after a lost connection it resumes at the last entry.
 * @param {(after: number, signal: AbortSignal) => Promise<Response>} open
 * @param {{onFrame: (frame: Frame) => void, onState: (live: boolean) => void}} callbacks
 * @returns {() => void} stops it
 */
export function followFrames(open, { onFrame, onState }) {
  const abort = new AbortController();
  let after = 0;
  let wait = MIN_RETRY_MILLISECONDS;
  const once = async () => {
    const answer = await open(after, abort.signal);
    if (!answer.ok || !answer.body) throw new Error(`the stream was refused with ${answer.status}`);
    onState(true);
    wait = MIN_RETRY_MILLISECONDS;
    const frames = framer();
    const decoder = new TextDecoder();
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const frame of frames(decoder.decode(value, { stream: true }))) {
        after = Math.max(frame.event === "shorter" ? 0 : after, Number(frame.id) || 0);
        onFrame(frame);
      }
    }
  };
  const loop = async () => {
    while (!abort.signal.aborted) {
      await once().catch(() => undefined);
      if (abort.signal.aborted) return;
      onState(false);
      await new Promise((resume) => setTimeout(resume, wait));
      wait = Math.min(wait * 2, MAX_RETRY_MILLISECONDS);
    }
  };
  void loop();
  return () => abort.abort();
}
