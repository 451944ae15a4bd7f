/** The slider over all entries, with marks and buttons to play. */

import { html, useEffect, useRef } from "../html.js";
import { useKeys } from "../keys.js";
import { Button, Choice, Kbd } from "../ui/index.js";
import { entryLine, markOf } from "./entries.js";

/** Entries per second. */
export const SPEEDS = /** @type {[string, string][]} */ ([["1", "1/s"], ["4", "4/s"], ["20", "20/s"]]);
const MOST_MARKS = 400;

/**
 * @param {object} props
 * @param {import("./entries.js").Entry[]} props.entries
 * @param {boolean} props.complete whether all of them are read
 * @param {number} props.at how many entries have been written
 * @param {(at: number) => void} props.onMove
 * @param {boolean} props.playing
 * @param {(playing: boolean) => void} props.onPlay
 * @param {string} props.speed
 * @param {(speed: string) => void} props.onSpeed
 */
export function Track({ entries, complete, at, onMove, playing, onPlay, speed, onSpeed }) {
  const last = entries.length;
  const move = (/** @type {number} */ to) => (onPlay(false), onMove(Math.max(1, Math.min(last, to))));
  const jump = (/** @type {number} */ step) => {
    const found = step > 0 ? entries.findIndex((entry, index) => index >= at && markOf(entry)) : entries.slice(0, at - 1).findLastIndex((entry) => markOf(entry));
    if (found >= 0) move(found + 1);
  };
  useTicking(playing, Number(speed), () => (at < last ? onMove(at + 1) : onPlay(false)));
  useKeys("Replay", {
    Space: { label: "play or stop", run: () => onPlay(!playing) },
    ArrowRight: { label: "next entry", run: () => move(at + 1) },
    ArrowLeft: { label: "previous entry", run: () => move(at - 1) },
    l: { label: "next mark: a failure, a doubt, a decision, an approval", run: () => jump(1) },
    h: { label: "previous mark", run: () => jump(-1) },
    Home: { label: "to the first entry", run: () => move(1) },
    End: { label: "to the last entry", run: () => move(last) },
  });
  const entry = entries[at - 1];
  const line = entry ? entryLine(entry) : { word: "", what: "" };
  return html`<div class="track">
    <div class="track-buttons">
      <${Button} kind="ghost" icon="first" label="To the first entry" onClick=${() => move(1)} />
      <${Button} kind="ghost" icon="left" label="Previous entry" onClick=${() => move(at - 1)} />
      <${Button} kind="primary" icon=${playing ? "paused" : "running"} onClick=${() => onPlay(!playing)} class="track-play">${playing ? "Stop" : at >= last ? "Play again" : "Play"}<//>
      <${Button} kind="ghost" icon="right" label="Next entry" onClick=${() => move(at + 1)} />
      <${Choice} label="Entries per second" value=${speed} choices=${SPEEDS} onChange=${onSpeed} />
      <span class="track-place num">entry ${at} of ${last}${complete ? "" : " read so far"}</span>
    </div>
    <div class="track-line">
      <${Marks} entries=${entries} />
      <input type="range" min="1" max=${Math.max(1, last)} step="1" value=${at} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${at} of ${last}: ${line.word} ${line.what}`} onInput=${(/** @type {any} */ event) => move(Number(event.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Kbd} keys="h" /> <${Kbd} keys="l" /> between marks, <${Kbd} keys="Space" /> to play</span>
    </p>
  </div>`;
}

/** @param {{entries: import("./entries.js").Entry[]}} props */
function Marks({ entries }) {
  const found = entries.map((entry, index) => ({ kind: markOf(entry), index })).filter((each) => each.kind);
  const every = Math.ceil(found.length / MOST_MARKS);
  const x = (/** @type {number} */ index) => (entries.length > 1 ? (index / (entries.length - 1)) * 1000 : 0);
  return html`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${found.filter((_each, at) => at % every === 0).map((each) => html`<path key=${each.index} class=${`mark-${each.kind}`} d=${`M${x(each.index)} ${TOPS[each.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`;
}

/** Marks also differ in height, so that colour is not needed: a failure is the tallest. */
const TOPS = /** @type {Record<string, number>} */ ({ failed: 0, in_doubt: 2, approval: 5, decision: 7 });

/**
 * @param {boolean} playing
 * @param {number} speed
 * @param {() => void} tick
 */
function useTicking(playing, speed, tick) {
  const newest = useRef(tick);
  newest.current = tick;
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => newest.current(), 1000 / speed);
    return () => clearInterval(timer);
  }, [playing, speed]);
}
