/** A path that leads nowhere. */

import { html } from "../html.js";
import { link } from "../router.js";
import { Empty } from "../ui/index.js";

export function Page() {
  return html`<h1 class="visually-hidden">Nothing here</h1>
    <${Empty} title="There is nothing at this address.">
      <a href=${link("/")}>All executions</a>
    </${Empty}>`;
}
