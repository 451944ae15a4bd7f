/** Above every view of an export that somebody looks at: what it is, and what does not hold of it. */

import { get } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { isImport, journal } from "./router.js";
import { Text } from "./ui/text.js";

/** @typedef {{journal: string, of: string, entries: number, verified: boolean, problem: string}} Imported */

const EXCERPT = "excerpt";
/** What the server calls the entries of one execution: they do not say of which journal they are. */

export function ImportedNote() {
  const [told, tell] = useState(/** @type {Imported[]} */ ([]));
  const shown = isImport() ? journal() : "";
  useEffect(() => {
    if (shown) get("/v1/imports").then((answer) => tell(answer.imports), () => {});
  }, [shown]);
  if (!shown) return null;
  const one = told.find((each) => each.journal === shown);
  const wrong = one && !one.verified;
  return html`<p class=${`imported ${wrong ? "imported-wrong" : ""}`} role="note">
    <${Icon} name=${wrong ? "warning" : "import"} />
    <span>You look at an export${one && one.of !== EXCERPT && html` of <code><${Text} text=${one.of} /></code>`}, not at a journal that is kept here.
      ${wrong && html`<strong> It does not verify: <${Text} text=${one.problem.replace(/\.$/, "")} />. Do not rely on it.</strong>`}</span>
  </p>`;
}
