/** What waits for a person: loaded once for the frame, which shows the count, and for the page Home. */

import { get } from "./api.js";
import { createContext, useContext, useEffect } from "./html.js";
import { useLive } from "./live.js";
import { setWaiting } from "./page_title.js";
import { isImport, journal } from "./router.js";

const KINDS = ["approval_", "execution_", "action_doubted", "decision_recorded", "session_opened", "session_ended"];
/** Entries after which something else may wait. Deaths and deadlines come without an entry. */
const RELOAD_MILLISECONDS = 10_000;

/** @typedef {import("./types.js").InboxItem} InboxItem */
/** @typedef {{items: InboxItem[], counts: Record<string, number>, more: string[], working: any[], working_count: number}} Inbox */
/** @typedef {{data: Inbox | null, problem: Error | null, reload: () => void}} LiveInbox */

const Shown = createContext(/** @type {LiveInbox} */ ({ data: null, problem: null, reload: () => {} }));
export const InboxProvider = Shown.Provider;

/** Load the inbox, and keep it current. The frame calls it once. @returns {LiveInbox} */
export function useLoadedInbox() {
  const inbox = useLive({ kinds: KINDS, by: [journal()] }, (signal) => get("/v1/inbox", { limit: 50 }, { signal }));
  useEffect(() => {
    const timer = setInterval(() => document.hidden || inbox.reload(), RELOAD_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => setWaiting(isImport() ? 0 : total(inbox.data)), [inbox.data]);
  return inbox;
}

/** @returns {LiveInbox} */
export const useInbox = () => useContext(Shown);

/** @param {Inbox | null} inbox */
export const total = (inbox) => Object.values(inbox?.counts ?? {}).reduce((sum, count) => sum + count, 0);
