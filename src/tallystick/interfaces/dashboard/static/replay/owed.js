/** The owed state of an action, by the same rules as core/undo.py. */

/** States that count as owed, because an undo is still possible. */
export const DUE = new Set(["owed", "undoing", "in_doubt", "failed"]);

/**
 * The owed state by the states of the undos; the first match counts.
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
  const base = owedWithoutUndo(action);
  if (!base || !action.undos.size) return base;
  const states = [...action.undos.values()];
  const found = BY_UNDO.find(([, wanted]) => states.some((state) => wanted.has(state)));
  if (!found) return base;
  return found[0] === "undone" && action.cancellable === "partially-reversible" ? "partly" : found[0];
}

/**
 * The owed state without regard to undos.
 * @param {import("./fold.js").Action} action
 */
function owedWithoutUndo(action) {
  if (action.kind === "undo" || action.effect === "read" || action.state === "skipped") return "";
  if (action.state === "failed" && action.withoutEffect) return "";
  return action.cancellable === "irreversible" ? "not_possible" : "owed";
}
