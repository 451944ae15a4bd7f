/** Browser notifications for new questions. Permission is requested by a button, never on load. */

import { html, useState } from "../html.js";
import { useEntries } from "../live.js";
import { link, navigate } from "../router.js";
import { Button } from "../ui/button.js";
import { say } from "../ui/toast.js";
import { visibleText } from "../ui/visible.js";

const STORAGE_KEY = "tallystick.notify";

const isPossible = () => "Notification" in window && window.isSecureContext;
const isWanted = () => localStorage.getItem(STORAGE_KEY) === "yes" && isPossible() && Notification.permission === "granted";

/** Notifies of new questions while a tab is open. It draws nothing. */
export function Notifier() {
  useEntries((entry) => {
    if (entry?.kind === "approval_requested" && isWanted() && !document.hasFocus()) notify(/** @type {any} */ (entry));
  });
  return null;
}

/** @param {import("../types.js").EntryView} entry */
function notify(entry) {
  const question = typeof entry.body?.question === "string" ? entry.body.question : "An agent has a question.";
  const shown = new Notification(visibleText(question.slice(0, 200)), { body: `${visibleText(entry.facts?.tool || entry.actor)} is waiting for you`, tag: entry.id });
  shown.onclick = () => {
    window.focus();
    navigate(link(`/approvals/${entry.id}`));
    shown.close();
  };
}

/** The button that requests permission. */
export function NotifyButton() {
  const [on, setOn] = useState(isWanted);
  if (!isPossible()) return null;
  const toggle = async () => {
    if (on) {
      localStorage.removeItem(STORAGE_KEY);
      return setOn(false);
    }
    const permission = await Notification.requestPermission();
    if (permission !== "granted") return say("The browser does not allow notifications. Change its settings for this site.", "failed");
    localStorage.setItem(STORAGE_KEY, "yes");
    setOn(true);
  };
  return html`<${Button} icon="bell" pressed=${on} onClick=${toggle}>Notify me<//>`;
}
