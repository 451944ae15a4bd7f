/** A word from the browser when somebody asks: only for who wants it, and asked for by a button, never on load. */

import { html, useState } from "../html.js";
import { useEntries } from "../live.js";
import { link, navigate } from "../router.js";
import { Button } from "../ui/button.js";
import { say } from "../ui/toast.js";
import { spelled } from "../ui/visible.js";

const KEPT = "tallystick.notify";

const possible = () => "Notification" in window && window.isSecureContext;
const wanted = () => localStorage.getItem(KEPT) === "yes" && possible() && Notification.permission === "granted";

/** Tells of each new question while any page is open. It draws nothing. */
export function Notifier() {
  useEntries((entry) => {
    if (entry?.kind === "approval_requested" && wanted() && !document.hasFocus()) tell(/** @type {any} */ (entry));
  });
  return null;
}

/** @param {import("../types.js").EntryView} entry */
function tell(entry) {
  const question = typeof entry.body?.question === "string" ? entry.body.question : "An agent asks.";
  const shown = new Notification(spelled(question.slice(0, 200)), { body: `${spelled(entry.facts?.tool || entry.actor)} is waiting for you`, tag: entry.id });
  shown.onclick = () => {
    window.focus();
    navigate(link(`/approvals/${entry.id}`));
    shown.close();
  };
}

/** The button that asks the browser for leave. */
export function NotifyButton() {
  const [on, setOn] = useState(wanted);
  if (!possible()) return null;
  const toggle = async () => {
    if (on) {
      localStorage.removeItem(KEPT);
      return setOn(false);
    }
    const given = await Notification.requestPermission();
    if (given !== "granted") return say("The browser does not allow it. Its settings for this site can change that.", "failed");
    localStorage.setItem(KEPT, "yes");
    setOn(true);
  };
  return html`<${Button} icon="bell" pressed=${on} onClick=${toggle}>Notify me<//>`;
}
