/** Giving an answer: once, whatever the network does, and with a plain word about what became of it. */

import { refusal } from "./answer.js";

/**
 * @typedef {{id: string, ok: boolean, status: string, told: string}} Outcome what became of one answer
 */

/**
 * Sends one answer. The key makes a repetition of the same answer the same record.
 * @typedef {(id: string, body: Record<string, unknown>, key: string) => Promise<Outcome>} Decide
 */

/**
 * How answers are sent: the page and an embedded element ask the server each in their way.
 * @param {{get: (path: string) => Promise<any>, post: (path: string, body: unknown, how: {key: string}) => Promise<any>}} server
 * @returns {Decide}
 */
export function decider({ get, post }) {
  return async (id, body, key) => {
    const path = `/v1/approvals/${encodeURIComponent(id)}`;
    try {
      const receipt = await post(`${path}/decision`, body, { key });
      return { id, ok: true, status: receipt.status, told: "" };
    } catch (problem) {
      const now = await get(path).catch(() => null);
      return { id, ok: false, status: now?.status ?? "", told: refusal(/** @type {any} */ (problem), now) };
    }
  };
}

/** A key for one answer: a person who presses twice has still answered once. */
export const newKey = () => `page-${crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint32Array(4))].join("-")}`;
