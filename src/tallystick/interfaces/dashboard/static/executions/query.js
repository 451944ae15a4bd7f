/** The query language of the filter box: `status:failed agent:codex since:2d words`. The address holds the same text. */

/** Names before a colon, and the parameter of each. */
const FIELDS = /** @type {Record<string, string>} */ ({
  status: "status",
  agent: "actor",
  client: "client",
  task: "task_id",
  plan: "plan_id",
  tool: "tool",
  only: "only",
  since: "since",
  until: "until",
});

/** Statuses as the page shows them, and those of the server that each means. */
const STATUSES = /** @type {Record<string, string[]>} */ ({
  ...Object.fromEntries(["running", "interrupted", "paused", "unwinding", "completed", "failed", "cancelled", "closed"].map((word) => [word, [word]])),
  waiting: ["waiting", "blocked"],
});
export const OPEN = ["running", "blocked", "paused", "unwinding"];

/** The allowed values of each field, for the hints below the box. */
export const HINTS = /** @type {[string, string][]} */ ([
  ["status:", `${Object.keys(STATUSES).join(", ")}, or open`],
  ["agent:", "the agent that started it"],
  ["client:", "claude-code, codex-cli, …"],
  ["task:", "the task of the execution"],
  ["tool:", "a tool that was called"],
  ["only:", "in_doubt, owed, waiting, interrupted or working"],
  ["since:", "2d, 4h or a date; until: too"],
]);

/** @typedef {{field: string, value: string}} Term a term with no field is a word to search for */

/**
 * @param {string} text
 * @returns {Term[]}
 */
export function parse(text) {
  const terms = [];
  for (const [, field, quoted, plain] of text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const value = quoted ?? plain ?? "";
    if (field && !(field in FIELDS)) terms.push({ field: "", value: `${field}:${value}` });
    else terms.push({ field: field || "", value });
  }
  return terms;
}

/**
 * The terms as text.
 * @param {Term[]} terms
 */
export function write(terms) {
  return terms.map(({ field, value }) => `${field ? `${field}:` : ""}${/\s/.test(value) ? `"${value}"` : value}`).join(" ");
}

const MEANT = /** @type {Record<string, string[]>} */ ({ ...STATUSES, open: OPEN, blocked: ["blocked"], "waiting for a person": STATUSES.waiting });

/** The words of a filter by status. @param {string} value */
const wordsOf = (value) => value.split(",").map((word) => word.trim().toLowerCase());

/**
 * The problem with a word that is no status of an execution; null if there is none.
 * @param {Term[]} terms
 */
export function wrongStatus(terms) {
  const words = terms.filter(({ field }) => field === "status").flatMap(({ value }) => wordsOf(value));
  const wrong = words.find((word) => !(word in MEANT));
  return wrong === undefined ? null : { message: `“${wrong}” is no state of an execution.`, hint: `Use one of: ${Object.keys(STATUSES).join(", ")}, open.` };
}

/**
 * The parameters for the server. A tool is found by full-text search, like words.
 * @param {Term[]} terms
 * @returns {Record<string, unknown>}
 */
export function asked(terms) {
  /** @type {Record<string, any>} */
  const params = { status: [] };
  const words = [];
  for (const { field, value } of terms) {
    if (!field || field === "tool") words.push(value);
    else if (field === "status") params.status.push(...wordsOf(value).flatMap((word) => MEANT[word] ?? [word]));
    else params[FIELDS[field]] = value;
  }
  return { ...params, text: words.join(" ") };
}

/**
 * Add a term, or remove it if it is there already.
 * @param {Term[]} terms
 * @param {Term} term
 */
export function toggled(terms, term) {
  const rest = terms.filter((each) => each.field !== term.field || each.value !== term.value);
  if (rest.length < terms.length) return rest;
  const alone = term.field === "status" || term.field === "only";
  return [...terms.filter((each) => !alone || (each.field !== "status" && each.field !== "only")), term];
}
