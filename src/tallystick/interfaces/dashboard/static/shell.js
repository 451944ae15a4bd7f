/** The frame of every view: navigation, name of the journal, connection state and settings. */

import { Notifier } from "./approvals/notify.js";
import { removeDrafts } from "./drafts.js";
import { html, useState } from "./html.js";
import { Icon, Mark } from "./icons.js";
import { ImportedNote } from "./import_note.js";
import { useJournals } from "./journals.js";
import { InboxProvider, total, useInbox, useLoadedInbox } from "./inbox.js";
import { useKeys, usePending, useShortcuts } from "./keys.js";
import { useConnection } from "./live.js";
import { isImport, link, navigate } from "./router.js";
import { Palette } from "./search/palette.js";
import { useSession } from "./session.js";
import { SETTINGS, choose, useSetting } from "./settings.js";
import { Button, Choice, Dialog, Kbd, Menu, Toasts, focusSearch, useZone } from "./ui/index.js";

/** Path, title, icon, and the key that opens it after `g`. */
const NAVIGATION = /** @type {[string, string, string, string][]} */ ([
  ["/", "Home", "home", "h"],
  ["/executions", "Executions", "executions", "e"],
  ["/approvals", "Approvals", "approvals", "a"],
  ["/plans", "Plans", "plans", "p"],
  ["/context", "Context", "context", "c"],
  ["/stats", "Stats", "stats", "s"],
]);

/** @param {{path: string, children?: any}} props */
export function Shell({ path, children }) {
  const [helping, help] = useState(false);
  const [searching, search] = useState(false);
  const inbox = useLoadedInbox();
  const navigationKeys = NAVIGATION.map(([to, word, , key]) => [`g ${key}`, { label: `go to ${word.toLowerCase()}`, run: () => navigate(to) }]);
  useKeys("Everywhere", {
    "?": { label: "show these shortcuts", run: () => help(true) },
    "/": { label: "search everything", run: () => search(true) },
    "Ctrl+k": { label: "search everything", run: () => search(true), typing: true },
    f: { label: "filter this page", run: focusSearch },
    ...Object.fromEntries(navigationKeys),
    "g l": { label: "go to alerts", run: () => navigate("/alerts") },
  });
  return html`<${InboxProvider} value=${inbox}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${link("/")} aria-label="Tallystick, home"><${Mark} /><span>Tallystick</span></a>
      <${JournalName} />
      <${Navigation} path=${path} />
      <div class="top-end">
        <${Button} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${() => search(true)}><span class="search-key">Ctrl K</span></${Button}>
        <${Zone} />
        <${Connection} />
        <${Settings} onHelp=${() => help(true)} />
      </div>
    </header>
    <${ImportedNote} />
    <main id="main" tabindex="-1">${children}</main>
    <${Toasts} />
    <${Notifier} />
    <${Pending} />
    ${searching && html`<${Palette} onClose=${() => search(false)} />`}
    ${helping && html`<${Help} onClose=${() => help(false)} />`}
  </${InboxProvider}>`;
}

/** @param {{path: string}} props */
function Navigation({ path }) {
  const inbox = useInbox().data;
  const counts = (!isImport() && inbox?.counts) || {};
  const shown = /** @type {Record<string, [number, string]>} */ ({ "/": [isImport() ? 0 : total(inbox), "need you"], "/approvals": [counts.question_waits ?? 0, "pending"] });
  const here = (/** @type {string} */ to) => (to === "/" ? path === "/" || path === "/alerts" : path.startsWith(to) || (to === "/executions" && path.startsWith("/x/")));
  return html`<nav class="navigation" aria-label="Main">
    ${NAVIGATION.map(
      ([to, word, icon]) => html`<a href=${link(to)} class="nav-link" aria-current=${here(to) ? "page" : null}>
        <${Icon} name=${icon} /><span>${word}</span>
        ${shown[to]?.[0]
          ? html`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${shown[to][0]}<span class="visually-hidden"> ${shown[to][1]}</span></span>`
          : null}
      </a>`,
    )}
  </nav>`;
}

/** The name of the journal; a choice if the store has several. */
function JournalName() {
  const { shown, others } = useJournals();
  if (!shown) return null;
  if (!others.length) return html`<span class="journal-name" title="Journal"><${Icon} name="journal" /><span>${shown}</span></span>`;
  return html`<label class="journal-name"><${Icon} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${shown} onChange=${(/** @type {any} */ event) => navigate(`/?journal=${encodeURIComponent(event.target.value)}`)}>
      ${[shown, ...others].sort().map((each) => html`<option value=${each} selected=${each === shown}>${each}</option>`)}
    </select>
  </label>`;
}

/** The time zone, if times are shown absolute. */
function Zone() {
  const zone = useZone();
  return useSetting("time") === "absolute" ? html`<span class="zone" title="Time zone">${zone}</span>` : null;
}

const CONNECTION = {
  live: ["live", "Live"],
  connecting: ["offline", "Connecting"],
  offline: ["offline", "Offline"],
};

function Connection() {
  const state = useConnection();
  const [icon, word] = CONNECTION[state];
  return html`<span class=${`connection connection-${state}`} role="status">
    <${Icon} name=${icon} /><span>${word}</span>
  </span>`;
}

const SETTING_NAMES = { theme: "Theme", density: "Density", time: "Times", zone: "Time zone" };

/** @param {{onHelp: () => void}} props */
function Settings({ onHelp }) {
  const session = useSession();
  const zone = useZone();
  return html`<${Menu} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(SETTINGS).map((name) => html`<${OneSetting} key=${name} name=${name} />`)}
      <p class="soft">Times are shown in ${zone}.</p>
      <hr />
      <a class="menu-item" href=${link("/alerts")}><${Icon} name="warning" />Alerts</a>
      <a class="menu-item" href=${link("/compare")}><${Icon} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${link("/webhooks")}><${Icon} name="export" />Webhooks</a>
      <a class="menu-item" href=${link("/import")}><${Icon} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${onHelp}><${Icon} name="keyboard" />Shortcuts <${Kbd} keys="?" /></button>
      ${session.person && html`<${LogOut} session=${session} />`}
      <p class="soft">Tallystick ${session.version}</p>
    </div>
  </${Menu}>`;
}

/** @param {{session: import("./session.js").Session}} props */
function LogOut({ session }) {
  const leave = async () => {
    await fetch("/logout", { method: "POST", headers: { "Tallystick-CSRF": session.csrf } });
    removeDrafts(true);
    location.assign("/login");
  };
  return html`<button type="button" class="menu-item" onClick=${leave}><${Icon} name="person" />Log out ${session.name}</button>`;
}

/** @param {{name: import("./settings.js").Setting}} props */
function OneSetting({ name }) {
  const value = useSetting(name);
  return html`<div class="setting">
    <span>${SETTING_NAMES[name]}</span>
    <${Choice} label=${SETTING_NAMES[name]} value=${value} choices=${SETTINGS[name]} onChange=${(/** @type {string} */ to) => choose(name, to)} />
  </div>`;
}

/** @param {{onClose: () => void}} props */
function Help({ onClose }) {
  const groups = useShortcuts();
  return html`<${Dialog} title="Shortcuts" onClose=${onClose} wide>
    <div class="help">
      ${groups.map(
        ({ group, keys }) => html`<section>
          <h3>${group}</h3>
          <dl>${keys.map(([key, label]) => html`<div><dt><${Kbd} keys=${key} /></dt><dd>${label}</dd></div>`)}</dl>
        </section>`,
      )}
    </div>
  </${Dialog}>`;
}

function Pending() {
  const key = usePending();
  return key ? html`<div class="pending" role="status"><${Kbd} keys=${key} /> then…</div>` : null;
}
