/** Requests to the server. An error becomes a `Problem` that label what is wrong and what to do. */

import { read } from "./json/parser.js";
import { write } from "./json/serializer.js";
import { journal } from "./router.js";
import { csrf } from "./session.js";

/** An error response (problem details), or no response at all. */
export class Problem extends Error {
  /** @param {{title?: string, detail?: string, status?: number, code?: string, hint?: string, field?: string}} details */
  constructor(details) {
    super(details.detail || details.title || "The server did not answer.");
    this.name = "Problem";
    this.title = details.title || "";
    this.status = details.status || 0;
    this.code = details.code || "";
    this.hint = details.hint || "";
    this.field = details.field || "";
  }
}

/**
 * Send a GET request.
 * @param {string} path
 * @param {Record<string, unknown>} [params] empty ones are left out, a list becomes a repeated parameter
 * @param {{signal?: AbortSignal, accept?: string}} [how] `accept` where the answer has other forms than JSON
 * @returns {Promise<any>}
 */
export function get(path, params = {}, { signal, accept } = {}) {
  return ask(address(path, params), accept ? { signal, headers: { Accept: accept } } : { signal });
}

/**
 * Send a POST request.
 * @param {string} path
 * @param {unknown} [body]
 * @param {{key?: string, params?: Record<string, unknown>}} [how] `key` is the idempotency key: a repeated request makes one record
 * @returns {Promise<any>}
 */
export async function post(path, body = {}, { key, params = {} } = {}) {
  const text = typeof body === "string" ? body : write(body);
  const headers = { "Content-Type": typeof body === "string" ? "application/x-ndjson" : "application/json" };
  const token = await csrf();
  if (token) Object.assign(headers, { "Tallystick-CSRF": token });
  if (key) Object.assign(headers, { "Idempotency-Key": key });
  return ask(address(path, params), { method: "POST", headers, body: text });
}

/**
 * An address of the server, with the current journal.
 * @param {string} path
 * @param {Record<string, unknown>} [params]
 */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== "" && each !== null && each !== undefined && each !== false) query.append(name, String(each));
    }
  }
  if (journal() && !query.has("journal")) query.set("journal", journal());
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * @param {string} url
 * @param {RequestInit} how
 */
async function ask(url, how) {
  // With other headers or another mode, a request that the server had the browser send early would be sent again.
  const answer = await fetch(url, { credentials: "same-origin", ...how }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "The server cannot be reached.", hint: "Is `tallystick serve` still running?" });
  });
  if (answer.ok) return answer.status === 204 ? null : read(await answer.text());
  if (answer.status === 401 && !url.startsWith("/login") && location.pathname !== "/login") {
    location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const details = await answer.text().then(read).catch(() => ({ title: answer.statusText }));
  throw new Problem({ status: answer.status, ...details });
}
