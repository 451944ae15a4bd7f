/** Requests to a server from another application, with a token instead of a cookie. */

import { read } from "../json/parser.js";
import { write } from "../json/serializer.js";
import { followFrames } from "./stream.js";

/** The server that this file was loaded from. */
const HOME = new URL(import.meta.url).origin;

/** Events about the position of the stream, without an entry. */
const STANDING = new Set(["caught_up", "shorter"]);

/** @typedef {{onEntry: (entry: any) => void, onState: (live: boolean) => void}} Listener */
/** @type {Map<string, {listeners: Set<Listener>, live: boolean, stop: () => void}>} */
const STREAMS = new Map();

export class Refusal extends Error {
  /** @param {{detail?: string, title?: string, hint?: string, code?: string, status?: number}} details */
  constructor(details) {
    super(details.detail || details.title || "The server cannot be reached.");
    this.code = details.code ?? "";
    this.hint = details.hint ?? "";
    this.status = details.status ?? 0;
  }
}

export class Source {
  /** @param {{server: string, journal: string, token: string}} place */
  constructor({ server, journal, token }) {
    this.server = (server || HOME).replace(/\/+$/, "");
    this.journal = journal;
    this.token = token;
    this.get = this.get.bind(this);
    this.post = this.post.bind(this);
  }

  /** Whether a request is pointless: another origin needs a token. */
  get waits() {
    return !this.token && this.server !== location.origin;
  }

  /** @param {string} path @param {Record<string, unknown>} [params] @param {AbortSignal} [signal] */
  async get(path, params = {}, signal) {
    return this.#answer(this.#fetch(this.#address(path, params), { signal }));
  }

  /** @param {string} path @param {unknown} body @param {{key?: string}} [how] */
  async post(path, body, { key = "" } = {}) {
    /** @type {Record<string, string>} */
    const headers = { "Content-Type": "application/json", ...(await this.#proof()) };
    if (key) headers["Idempotency-Key"] = key;
    return this.#answer(this.#fetch(this.#address(path), { method: "POST", headers, body: write(body) }));
  }

  /**
   * All elements of one journal share one stream.
   * @param {(entry: any) => void} onEntry
   * @param {(live: boolean) => void} onState
   */
  follow(onEntry, onState) {
    const name = JSON.stringify([this.server, this.journal, this.token]);
    const shared = STREAMS.get(name) ?? this.#stream(name);
    const listener = { onEntry, onState };
    shared.listeners.add(listener);
    if (shared.live) onState(true);
    return () => {
      shared.listeners.delete(listener);
      if (!shared.listeners.size) (shared.stop(), STREAMS.delete(name));
    };
  }

  /** @param {string} name */
  #stream(name) {
    const open = (/** @type {number} */ after, /** @type {AbortSignal} */ signal) =>
      this.#fetch(this.#address("/events", after ? { after } : {}), { signal, headers: { Accept: "text/event-stream" } });
    const shared = { listeners: /** @type {Set<Listener>} */ (new Set()), live: false, stop: () => {} };
    STREAMS.set(name, shared);
    shared.stop = followFrames(open, {
      onState: (live) => {
        shared.live = live;
        for (const each of shared.listeners) each.onState(live);
      },
      onFrame: (frame) => {
        if (STANDING.has(frame.event) || !frame.data) return;
        const entry = read(frame.data);
        for (const each of shared.listeners) each.onEntry(entry);
      },
    });
    return shared;
  }

  /** @param {string} path @param {Record<string, unknown>} [params] */
  #address(path, params = {}) {
    const address = new URL(this.server + path);
    for (const [name, value] of Object.entries({ ...params, journal: this.journal })) {
      if (value !== "" && value !== undefined && value !== null) address.searchParams.set(name, String(value));
    }
    return address;
  }

  /** @param {URL} address @param {RequestInit} how */
  #fetch(address, how) {
    const headers = { ...how.headers, ...(this.token && { Authorization: `Bearer ${this.token}` }) };
    return fetch(address, { ...how, headers, credentials: this.#own() ? "same-origin" : "omit" });
  }

  /**
   * On the server's own origin the cookie is used, and a POST carries the CSRF token of the session.
   * @returns {Promise<Record<string, string>>}
   */
  async #proof() {
    if (!this.#own()) return {};
    const session = await fetch(`${this.server}/session`, { credentials: "same-origin" }).then((answer) => answer.json(), () => ({}));
    return session.csrf ? { "Tallystick-CSRF": session.csrf } : {};
  }

  #own() {
    return !this.token && this.server === location.origin;
  }

  /** @param {Promise<Response>} asked */
  async #answer(asked) {
    const answer = await asked.catch(rejectUnanswered);
    const details = await answer.text().then(read).catch(answer.ok ? rejectUnanswered : () => ({}));
    if (!answer.ok) throw new Refusal({ status: answer.status, ...details });
    return details;
  }
}

/** An incomplete response is an error; a request that was aborted is not. @param {any} error @returns {never} */
function rejectUnanswered(error) {
  if (error.name === "AbortError") throw error;
  throw new Refusal({ hint: "Does the server allow this origin?" });
}
