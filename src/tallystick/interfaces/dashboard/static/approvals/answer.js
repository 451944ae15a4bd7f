/** What a person answers to a question, as the server takes it; and what the server made of it, in plain words. */

import { isObject, same } from "../diff/json.js";
import { Malformed, readTyped } from "../json/parser.js";

/**
 * @typedef {"approve" | "edit" | "reject" | "respond"} Verdict
 * @typedef {{reason?: string, answer?: string, text?: string}} Said
 * @typedef {{body: Record<string, unknown>} | {problem: string, field: "reason" | "answer" | "arguments"}} Answer
 */

/** The verdicts with their words: what the button says, and what is said once it is done. */
export const VERDICTS = /** @type {const} */ ({
  approve: { verb: "Accept", past: "Accepted", key: "a" },
  edit: { verb: "Edit", past: "Accepted with other arguments", key: "e" },
  reject: { verb: "Reject", past: "Rejected", key: "r" },
  respond: { verb: "Respond", past: "Answered", key: "m" },
});

/**
 * The decision as `POST /v1/approvals/{id}/decision` takes it, or what is missing.
 * @param {import("../types.js").ApprovalView} approval
 * @param {Verdict} verdict
 * @param {Said} said
 * @returns {Answer}
 */
export function answerOf(approval, verdict, { reason = "", answer = "", text = "" } = {}) {
  const body = { verdict, ...(reason.trim() ? { reason: reason.trim() } : {}) };
  if (verdict === "respond") {
    if (!answer.trim()) return { problem: "Say what the agent is to be told.", field: "answer" };
    return { body: { ...body, answer: answer.trim() } };
  }
  if (verdict !== "edit") return { body };
  const read = readArguments(text);
  if ("problem" in read) return { problem: read.problem, field: "arguments" };
  if (same(read.value, approval.arguments ?? {})) {
    return { problem: "Nothing is changed yet. To grant it as it was asked, accept it.", field: "arguments" };
  }
  return { body: { ...body, arguments: read.value } };
}

/**
 * Arguments as they were typed. They are a JSON object, as a tool takes them.
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
    return { problem: "Arguments are a JSON object: they begin with { and end with }.", line: 1 };
  }
  return { value };
}

/**
 * @param {string} text
 * @param {Error} error
 */
function syntaxProblem(text, error) {
  if (!(error instanceof Malformed)) return { problem: "This is nested too deep to be read.", line: 1 };
  const line = text.slice(0, error.at).split("\n").length;
  return { problem: `${text.trim() ? error.message : "Arguments are missing"}: look at line ${line}.`, line };
}

/**
 * Why an answer was not taken, for the person who gave it.
 * @param {{code?: string, status?: number, message?: string, hint?: string}} problem
 * @param {import("../types.js").ApprovalView | null} now the question as it stands, when it could be read
 */
export function refusal(problem, now) {
  if (now && now.status === "expired") {
    return "Too late: it had expired. Nothing was granted, and the agent is told so. It has to ask again.";
  }
  if (now && now.status !== "pending") {
    const who = now.decided_by ? ` by ${now.decided_by}` : "";
    return `It was answered meanwhile${who}: ${pastOf(now.status)}. Your answer was not used.`;
  }
  if (problem.code === "not_permitted" || problem.status === 403) return "Your session may not decide.";
  return [problem.message, problem.hint].filter(Boolean).join(" ");
}

/** @param {string} status of an approval @returns {string} in lower case, for the middle of a sentence */
export function pastOf(status) {
  if (status === "used") return "accepted, and used";
  return status in VERDICTS ? VERDICTS[/** @type {Verdict} */ (status)].past.toLowerCase() : status;
}
