/** Builds the request for an answer, and explains why an answer was rejected. */

import { isObject, same } from "../diff/json.js";
import { Malformed, readTyped } from "../json/parser.js";

/**
 * @typedef {"approve" | "edit" | "reject" | "respond"} Verdict
 * @typedef {{reason?: string, answer?: string, text?: string}} AnswerFields
 * @typedef {{body: Record<string, unknown>} | {problem: string, field: "reason" | "answer" | "arguments"}} Answer
 */

/** The verdicts: text of the button, text after it was sent, and shortcut. */
export const VERDICTS = /** @type {const} */ ({
  approve: { verb: "Accept", past: "Accepted", key: "a" },
  edit: { verb: "Edit", past: "Accepted with other arguments", key: "e" },
  reject: { verb: "Reject", past: "Rejected", key: "r" },
  respond: { verb: "Respond", past: "Answered", key: "m" },
});

/**
 * The body of `POST /v1/approvals/{id}/decision`, or the problem with the input.
 * @param {import("../types.js").ApprovalView} approval
 * @param {Verdict} verdict
 * @param {AnswerFields} fields
 * @returns {Answer}
 */
export function answerOf(approval, verdict, { reason = "", answer = "", text = "" } = {}) {
  const body = { verdict, ...(reason.trim() ? { reason: reason.trim() } : {}) };
  if (verdict === "respond") {
    if (!answer.trim()) return { problem: "Enter an answer for the agent.", field: "answer" };
    return { body: { ...body, answer: answer.trim() } };
  }
  if (verdict !== "edit") return { body };
  const read = readArguments(text);
  if ("problem" in read) return { problem: read.problem, field: "arguments" };
  if (same(read.value, approval.arguments ?? {})) {
    return { problem: "The arguments are unchanged. To grant the call as asked, choose Accept.", field: "arguments" };
  }
  return { body: { ...body, arguments: read.value } };
}

/**
 * Parse the typed arguments, which must be a JSON object.
 * @param {string} text
 * @returns {{value: Record<string, unknown>} | {problem: string, line: number}}
 */
export function readArguments(text) {
  let value;
  try {
    value = readTyped(text);
  } catch (error) {
    return syntaxProblem(text, /** @type {any} */ (error));
  }
  if (!isObject(value)) {
    return { problem: "Arguments must be a JSON object: begin with { and end with }.", line: 1 };
  }
  return { value };
}

/**
 * @param {string} text
 * @param {Error} error
 */
function syntaxProblem(text, error) {
  if (!(error instanceof Malformed)) return { problem: "The arguments are nested too deep.", line: 1 };
  const line = text.slice(0, error.at).split("\n").length;
  return { problem: `${text.trim() ? error.message : "Arguments are missing"}. Check line ${line}.`, line };
}

/**
 * Explains to the person why an answer was not accepted.
 * @param {{code?: string, status?: number, message?: string, hint?: string}} problem
 * @param {import("../types.js").ApprovalView | null} now the current question, if it could be loaded
 */
export function refusal(problem, now) {
  if (now && now.status === "expired") {
    return "Too late: the question has expired. Nothing was granted, and the agent has to ask again.";
  }
  if (now && now.status === "closed") return "Too late: its execution has ended. Nothing was granted.";
  if (now && now.status !== "pending") {
    const who = now.decided_by ? ` by ${now.decided_by}` : now.answered_in ? ` in ${now.answered_in}` : "";
    return `The question was already answered${who}: ${pastOf(now.status)}. Your answer was not used.`;
  }
  if (problem.code === "not_permitted" || problem.status === 403) return "You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.";
  return [problem.message, problem.hint].filter(Boolean).join(" ");
}

/** @param {string} status of an approval @returns {string} in lower case, for the middle of a sentence */
export function pastOf(status) {
  if (status === "used") return "accepted, and used";
  return status in VERDICTS ? VERDICTS[/** @type {Verdict} */ (status)].past.toLowerCase() : status;
}
