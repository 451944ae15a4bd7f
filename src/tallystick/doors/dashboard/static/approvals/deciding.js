/** Giving an answer: once, whatever the network does, and with a plain word about what became of it. */

import { Problem, get, post } from "../api.js";
import { refusal } from "./answer.js";

/**
 * @typedef {{id: string, ok: boolean, status: string, told: string}} Outcome what became of one answer
 */

/**
 * Sends one answer. The key makes a repetition of the same answer the same record.
 * @param {string} id
 * @param {Record<string, unknown>} body
 * @param {string} key
 * @returns {Promise<Outcome>}
 */
export async function decide(id, body, key) {
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  try {
    const receipt = await post(`${path}/decision`, body, { key });
    return { id, ok: true, status: receipt.status, told: "" };
  } catch (problem) {
    const now = await get(path).catch(() => null);
    const told = refusal(/** @type {Problem} */ (problem), now);
    return { id, ok: false, status: now?.status ?? "", told };
  }
}

/** A key for one answer: a person who presses twice has still answered once. */
export const newKey = () => `page-${crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint32Array(4))].join("-")}`;
