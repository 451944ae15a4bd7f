/**
 * What keeps the page current: an event stream, one for all pages of a browser, tells that something was recorded, and whoever shows what it changes
 * asks the server again. The page folds no entries itself, so it cannot come to another view than the server.
 */

import { address } from "./api.js";
import { useCallback, useEffect, useRef, useState } from "./html.js";
import { read } from "./json/parser.js";
import { alone } from "./tab_lock.js";
import { journal } from "./router.js";

/** Kinds of entry, as the stream names its events. A test holds this list to the server's. */
export const KINDS = [
  "plan_recorded", "plan_retired", "session_opened", "session_ended", "session_noted", "execution_started",
  "execution_ended", "action_begun", "action_ended", "action_doubted", "action_noted", "decision_recorded",
  "context_recorded", "approval_requested", "approval_decided", "body_erased", "credential_added",
  "credential_revoked",
];

const SOON = 30;
/** Milliseconds in which entries that land together are one reason to ask. */
const REST = 2;
/** After asking, the page rests for so many times as long as the answer took: a busy journal is not asked without end. */
const LONGEST = 15_000;
const HURRY = 500;

/** @typedef {{seq: number, kind: string, execution_id?: string, id?: string}} Entry */
/** @typedef {"connecting" | "live" | "offline"} Connection */

/** @type {Set<(entry: Entry | null) => void>} */
const followers = new Set();
/** @type {Set<(state: Connection) => void>} */
const watchers = new Set();
const ME = String(Math.random());
/** @type {EventSource | null} */
let stream = null;
/** @type {BroadcastChannel | null} */
let channel = null;
let letGo = () => {};
/** @type {Connection} */
let connection = "connecting";
let last = 0;
let wait = HURRY;

/** @param {Connection} state */
function become(state) {
  if (state === connection) return;
  connection = state;
  for (const watcher of watchers) watcher(state);
}

/** Follow the journal that is looked at, from now on. Whichever page holds the stream tells the others what it hears. */
export function followAnew() {
  letGo();
  channel?.close();
  stop();
  last = 0;
  const name = `tallystick ${journal()}`;
  channel = new BroadcastChannel(name);
  channel.addEventListener("message", (event) => take(event.data));
  channel.postMessage({ asks: ME });
  letGo = alone(name, () => stream || open(), stop);
}

function stop() {
  stream?.close();
  stream = null;
}

function open() {
  stop();
  const opened = new EventSource(address("/events", last ? { after: last } : {}));
  stream = opened;
  opened.addEventListener("open", () => {
    wait = HURRY;
    tell({ state: "live", anew: true });
  });
  opened.addEventListener("error", () => {
    tell({ state: opened.readyState === EventSource.CLOSED ? "offline" : "connecting" });
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    setTimeout(() => stream === opened && open(), wait);
    wait = Math.min(wait * 2, LONGEST);
  });
  const place = (/** @type {MessageEvent} */ event) => Number(event.lastEventId) || 0;
  for (const kind of KINDS) opened.addEventListener(kind, (event) => tell({ seq: place(event), entry: event.data }));
  opened.addEventListener("caught_up", (event) => tell({ seq: place(event) }));
  opened.addEventListener("shorter", (event) => tell({ seq: place(event), shorter: true, anew: true }));
}

/**
 * What the stream tells, as pages pass it on. `entry` is its text: what is read from it would not travel whole.
 * @typedef {{asks?: string, to?: string, state?: Connection, anew?: boolean, seq?: number, shorter?: boolean, entry?: string}} Said
 */

/** @param {Said} said */
function tell(said) {
  take(said);
  channel?.postMessage(said);
}

/** @param {Said} said */
function take({ asks, to, state, anew, seq, shorter, entry }) {
  if (to && to !== ME) return;
  if (asks && stream) channel?.postMessage({ to: asks, state: connection, anew: connection === "live", seq: last });
  if (seq !== undefined) last = shorter ? seq : Math.max(last, seq);
  if (state) become(state);
  const heard = entry === undefined ? null : read(entry);
  if (anew || heard) for (const follower of followers) follower(heard);
}

/** Try at once when the network is back; the page asks for it once. */
export function startFollowing() {
  window.addEventListener("online", () => stream && connection !== "live" && open());
}

/**
 * Hear of each entry as it lands; null when the stream was opened anew and anything may have changed.
 * @param {(entry: Entry | null) => void} follower
 */
export function useEntries(follower) {
  const newest = useRef(follower);
  newest.current = follower;
  useEffect(() => {
    const hearing = (/** @type {Entry | null} */ entry) => newest.current(entry);
    followers.add(hearing);
    return () => void followers.delete(hearing);
  }, []);
}

/** @returns {Connection} */
export function useConnection() {
  const [state, set] = useState(connection);
  useEffect(() => {
    watchers.add(set);
    set(connection);
    return () => void watchers.delete(set);
  }, []);
  return state;
}

/**
 * What `load` answers, asked again when an entry that matters lands.
 *
 * `keys.by` are the values that `load` depends on: another one asks at once, and forgets what was there. `kinds` (whole,
 * or a beginning such as "approval_") and `execution` say which entries matter; without them all do. `paused` keeps
 * what is shown.
 *
 * @template T
 * @param {{by?: unknown[], kinds?: string[], execution?: string, paused?: boolean}} keys
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @returns {{data: T | null, problem: Error | null, loading: boolean, reload: () => void}}
 */
export function useLive(keys, load) {
  const [state, set] = useState(/** @type {any} */ ({ data: null, problem: null, loading: true }));
  const newest = useRef({ keys, load });
  newest.current = { keys, load };
  const work = useRef(/** @type {{timer: any, abort: AbortController | null, busy: boolean, next: number, due: boolean}} */ ({
    timer: 0, abort: null, busy: false, next: 0, due: false,
  })).current;

  const ask = useCallback(async () => {
    clearTimeout(work.timer);
    work.timer = 0;
    work.abort?.abort();
    const abort = new AbortController();
    work.abort = abort;
    work.busy = true;
    work.due = false;
    const started = performance.now();
    try {
      const data = await newest.current.load(abort.signal);
      if (!abort.signal.aborted) set({ data, problem: null, loading: false });
    } catch (problem) {
      if (!abort.signal.aborted) set((/** @type {any} */ before) => ({ ...before, problem, loading: false }));
    }
    if (abort.signal.aborted) return;
    work.busy = false;
    work.next = performance.now() + REST * (performance.now() - started);
    if (work.due) soon();
  }, []);

  const soon = useCallback(() => {
    work.due = true;
    if (work.busy || work.timer || document.hidden || newest.current.keys.paused) return;
    work.timer = setTimeout(ask, Math.max(SOON, work.next - performance.now()));
  }, []);

  useEntries((entry) => {
    if (entry === null || matters(entry, newest.current.keys)) soon();
  });
  useEffect(() => {
    set({ data: null, problem: null, loading: true });
    void ask();
  }, keys.by || []);
  useEffect(() => {
    const seen = () => !document.hidden && work.due && soon();
    document.addEventListener("visibilitychange", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      clearTimeout(work.timer);
      work.abort?.abort();
    };
  }, []);
  useEffect(() => {
    if (!keys.paused && work.due) soon();
  }, [keys.paused]);
  return { ...state, reload: ask };
}

/**
 * @param {Entry} entry
 * @param {{kinds?: string[], execution?: string}} keys
 */
function matters(entry, { kinds, execution }) {
  if (entry.kind === "body_erased") return true; // what was erased must not stay on a screen
  if (execution && entry.execution_id !== execution && entry.id !== execution) return false;
  return !kinds || kinds.some((kind) => entry.kind === kind || (kind.endsWith("_") && entry.kind.startsWith(kind)));
}
