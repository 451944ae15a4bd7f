/** Sends an answer exactly once, and reports its outcome. */

import { refusal } from "./answer.js";

/**
 * @typedef {{id: string, ok: boolean, status: string, problem: string, refused?: boolean, unreachable?: boolean}} Outcome of one answer; `problem` is the reason if it
 *   was not accepted, `refused` that the login may not decide, or not any more, `unreachable` that there was no response
 */

/**
 * Sends one answer. The idempotency key makes a repeated request the same record.
 * @typedef {(id: string, body: Record<string, unknown>, key: string) => Promise<Outcome>} Decide
 */

/**
 * Makes the function that sends answers; the page and an embedded element have different requests.
 * @param {{get: (path: string) => Promise<any>, post: (path: string, body: unknown, how: {key: string}) => Promise<any>}} server
 * @returns {Decide}
 */
export function decider({ get, post }) {
  return async (id, body, key) => {
    const path = `/v1/approvals/${encodeURIComponent(id)}`;
    try {
      const receipt = await post(`${path}/decision`, body, { key });
      return { id, ok: true, status: receipt.status, problem: "" };
    } catch (problem) {
      const now = await get(path).catch(() => null);
      const { status } = /** @type {any} */ (problem);
      return { id, ok: false, status: now?.status ?? "", problem: refusal(/** @type {any} */ (problem), now), refused: status === 401 || status === 403, unreachable: !status && !now };
    }
  };
}

/** An idempotency key for one answer: pressing the button twice makes one record. */
export const newKey = () => `page-${crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint32Array(4))].join("-")}`;
