/** Shows the time left for a question. */

import { html } from "../html.js";
import { Icon } from "../icons.js";
import { exact, useNow } from "../ui/time.js";
import { useSetting } from "../settings.js";
import { remaining } from "./time_left.js";

/**
 * The status at this second: the server computes expiry for each request, and the page must not be later.
 * @param {import("../types.js").ApprovalView} approval
 * @param {number} now
 */
export function statusAt(approval, now) {
  const over = approval.status === "pending" && remaining(approval.expires ?? "", now).urgency === "over";
  return over ? "expired" : approval.status;
}

/** @param {{expires?: string}} props */
export function Expiry({ expires = "" }) {
  const zone = useSetting("zone");
  const { text, urgency } = remaining(expires, useNow());
  if (urgency === "none") return html`<span class="expiry faint">${text}</span>`;
  return html`<time class=${`expiry expiry-${urgency}`} dateTime=${expires} title=${`expires ${exact(expires, zone)}`}>
    <${Icon} name=${urgency === "soon" ? "warning" : "late"} size=${14} /> ${text}
  </time>`;
}
