/** The note above every view of an imported file: what it is, and why it does not verify. */

import { get } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { isImport, journal } from "./router.js";
import { Text } from "./ui/text.js";

/** @typedef {{journal: string, of: string, entries: number, verified: boolean, problem: string}} Imported */

const EXCERPT = "excerpt";
/** The server's name for entries of one execution, which do not name their journal. */

export function ImportedNote() {
  const [imports, setImports] = useState(/** @type {Imported[]} */ ([]));
  const shown = isImport() ? journal() : "";
  useEffect(() => {
    if (shown) get("/v1/imports").then((answer) => setImports(answer.imports), () => {});
  }, [shown]);
  if (!shown) return null;
  const one = imports.find((each) => each.journal === shown);
  const wrong = one && !one.verified;
  return html`<p class=${`imported ${wrong ? "imported-wrong" : ""}`} role="note">
    <${Icon} name=${wrong ? "warning" : "import"} />
    <span>This is an imported export${one && one.of !== EXCERPT && html` of <code><${Text} text=${one.of} /></code>`}, not a journal of this server.
      ${wrong && html`<strong> It does not verify: <${Text} text=${one.problem.replace(/\.$/, "")} />. Do not rely on it.</strong>`}</span>
  </p>`;
}
