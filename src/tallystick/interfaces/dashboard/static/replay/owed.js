/** When something is owed: the table of core/owing.py, for an action as it stood at some entry. */

/** States in which something can still be done about it: these are counted as owed. */
export const DUE = new Set(["owed", "undoing", "in_doubt", "failed"]);

/**
 * The word for an action by the states of its undos; the first that is met counts.
 * @type {[string, Set<string>][]}
 */
const BY_UNDO = [
  ["undone", new Set(["ok"])],
  ["undoing", new Set(["open"])],
  ["in_doubt", new Set(["unknown", "doubted"])],
  ["failed", new Set(["failed"])],
];

/**
 * @param {import("./fold.js").Action} action
 * @returns {string} empty when nothing is owed
 */
export function owed(action) {
  const debt = debtOf(action);
  if (!debt || !action.undos.size) return debt;
  const states = [...action.undos.values()];
  const found = BY_UNDO.find(([, wanted]) => states.some((state) => wanted.has(state)));
  if (!found) return debt;
  return found[0] === "undone" && action.cancellable === "partially-reversible" ? "partly" : found[0];
}

/**
 * What would be owed had nobody tried to undo it.
 * @param {import("./fold.js").Action} action
 */
function debtOf(action) {
  if (action.kind === "undo" || action.effect === "read" || action.state === "skipped") return "";
  if (action.state === "failed" && (action.effect !== "unsafe" || action.withoutEffect)) return "";
  return action.cancellable === "irreversible" ? "not_possible" : "owed";
}
