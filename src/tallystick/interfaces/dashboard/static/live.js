/**
 * Keeps the page current. One event stream for all tabs of a browser reports new entries, and each component that shows
 * something they change loads it again. The page computes no state from entries, so it cannot differ from the server.
 */

import { address } from "./api.js";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { read } from "./json/parser.js";
import { holdLock } from "./tab_lock.js";
import { journal } from "./router.js";

/** Kinds of entry, which are the event names of the stream. A test compares this list with the server's. */
export const KINDS = [
  "plan_recorded", "plan_retired", "task_recorded", "session_opened", "session_ended", "session_noted", "execution_started",
  "execution_ended", "action_begun", "action_ended", "action_doubted", "action_noted", "decision_recorded",
  "context_recorded", "approval_requested", "approval_decided", "body_erased", "credential_added",
  "credential_revoked", "alert_silenced", "webhook_added", "webhook_rotated", "webhook_tested", "webhook_replayed",
  "webhook_removed", "unreadable",
];

const COLLECT_MILLISECONDS = 30;
/** Entries that arrive within this time cause one request. */
const REST_FACTOR = 2;
/** After a request, a component waits for this many times its duration: a busy journal causes no endless requests. */
const MAX_RETRY_MILLISECONDS = 15_000;
const MIN_RETRY_MILLISECONDS = 500;

/** @typedef {{seq: number, kind: string, execution_id?: string, id?: string}} Entry */
/** @typedef {"connecting" | "live" | "offline"} Connection */

/** @type {Set<(entry: Entry | null) => void>} */
const followers = new Set();
/** @type {Set<(state: Connection) => void>} */
const watchers = new Set();
const PAGE_ID = String(Math.random());
/** @type {EventSource | null} */
let stream = null;
/** @type {BroadcastChannel | null} */
let channel = null;
let releaseLock = () => {};
/** @type {Connection} */
let connection = "connecting";
let last = 0;
let wait = MIN_RETRY_MILLISECONDS;

/** @param {Connection} state */
function setConnection(state) {
  if (state === connection) return;
  connection = state;
  for (const watcher of watchers) watcher(state);
}

/** Follow the current journal. The tab that holds the stream passes on what it receives to the others. */
export function restartStream() {
  releaseLock();
  channel?.close();
  stop();
  last = 0;
  const name = `tallystick ${journal()}`;
  channel = new BroadcastChannel(name);
  channel.addEventListener("message", (event) => receive(event.data));
  channel.postMessage({ asks: PAGE_ID });
  releaseLock = holdLock(name, () => stream || open(), stop);
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
    wait = MIN_RETRY_MILLISECONDS;
    broadcast({ state: "live", reset: true });
  });
  opened.addEventListener("error", () => {
    broadcast({ state: opened.readyState === EventSource.CLOSED ? "offline" : "connecting" });
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    setTimeout(() => stream === opened && open(), wait);
    wait = Math.min(wait * 2, MAX_RETRY_MILLISECONDS);
  });
  const seqOf = (/** @type {MessageEvent} */ event) => Number(event.lastEventId) || 0;
  for (const kind of KINDS) opened.addEventListener(kind, (event) => broadcast({ seq: seqOf(event), entry: event.data }));
  opened.addEventListener("caught_up", (event) => broadcast({ seq: seqOf(event) }));
  opened.addEventListener("shorter", (event) => broadcast({ seq: seqOf(event), shorter: true, reset: true }));
}

/**
 * A message of the stream, as tabs pass it on. `entry` is JSON text, because a parsed entry would lose exact numbers.
 * @typedef {{asks?: string, to?: string, state?: Connection, reset?: boolean, seq?: number, shorter?: boolean, entry?: string}} StreamMessage
 */

/** @param {StreamMessage} message */
function broadcast(message) {
  receive(message);
  channel?.postMessage(message);
}

/** @param {StreamMessage} message */
function receive({ asks, to, state, reset, seq, shorter, entry }) {
  if (to && to !== PAGE_ID) return;
  if (asks && stream) channel?.postMessage({ to: asks, state: connection, reset: connection === "live", seq: last });
  if (seq !== undefined) last = shorter ? seq : Math.max(last, seq);
  if (state) setConnection(state);
  const received = entry === undefined ? null : read(entry);
  if (reset || received) for (const follower of followers) follower(received);
}

/** Reconnect at once when the network is back; the page calls it once. */
export function startStream() {
  window.addEventListener("online", () => stream && connection !== "live" && open());
}

/**
 * Call `follower` for each new entry; with null when the stream was reopened and anything may have changed.
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

/** Call `reconnected` when the stream was reopened: the server can be reached again. @param {() => void} reconnected */
export const useReconnect = (reconnected) => useEntries((entry) => entry === null && reconnected());

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
 * The result of `load`, loaded again when a relevant entry arrives.
 *
 * `keys.by` are the values that `load` depends on: a change loads at once and forgets the old result. `kinds` (complete,
 * or a prefix such as "approval_") and `execution` say which entries are relevant; without them all are. `paused` keeps
 * the result.
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
    work.next = performance.now() + REST_FACTOR * (performance.now() - started);
    if (work.due) soon();
  }, []);

  const soon = useCallback(() => {
    work.due = true;
    if (work.busy || work.timer || document.hidden || newest.current.keys.paused) return;
    work.timer = setTimeout(ask, Math.max(COLLECT_MILLISECONDS, work.next - performance.now()));
  }, []);

  useEntries((entry) => {
    if (entry === null || isRelevant(entry, newest.current.keys)) soon();
  });
  useLayoutEffect(() => { // not after the first paint, which would delay the request
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
function isRelevant(entry, { kinds, execution }) {
  if (entry.kind === "body_erased") return true; // erased text must not stay on a screen
  if (execution && entry.execution_id !== execution && entry.id !== execution) return false;
  return !kinds || kinds.some((kind) => entry.kind === kind || (kind.endsWith("_") && entry.kind.startsWith(kind)));
}
