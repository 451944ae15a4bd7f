/** The page for an unknown path. */

import { html } from "../html.js";
import { link } from "../router.js";
import { Empty } from "../ui/index.js";

export function Page() {
  return html`<h1 class="visually-hidden">Not found</h1>
    <${Empty} title="There is no page at this address.">
      <a href=${link("/executions")}>All executions</a>
    </${Empty}>`;
}
