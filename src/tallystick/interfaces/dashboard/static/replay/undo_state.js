/** The undo state of an action, by the same rules as core/undo.py. */

/**
 * The undo state by the states of the undos; the first match counts.
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
 * @returns {string} empty when there is nothing to undo
 */
export function undoState(action) {
  const base = stateWithoutUndos(action);
  if (!base) return base;
  const states = [...action.undos.values()];
  const found = BY_UNDO.find(([, wanted]) => states.some((state) => wanted.has(state)))?.[0] ?? base;
  const word = found === "undone" && action.cancellable === "partially-reversible" ? "partly" : found;
  return action.kept && word !== "undone" ? "kept" : word;
}

/**
 * The undo state without regard to undos.
 * @param {import("./fold.js").Action} action
 */
function stateWithoutUndos(action) {
  if (action.kind === "undo" || action.undoes.length || action.effect === "read" || action.state === "skipped") return "";
  if (action.state === "failed" && action.withoutEffect) return "";
  if (action.cancellable === "irreversible") return "not_possible";
  return action.whileUnwinding ? "may_be_undo" : "not_undone";
}
