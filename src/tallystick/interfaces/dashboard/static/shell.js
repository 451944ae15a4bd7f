/** The frame of every view: navigation, name of the journal, connection state and settings. */

import { get } from "./api.js";
import { Notifier } from "./approvals/notify.js";
import { html, useState } from "./html.js";
import { Icon, Mark } from "./icons.js";
import { ImportedNote } from "./import_note.js";
import { useJournals } from "./journals.js";
import { useKeys, usePending, useShortcuts } from "./keys.js";
import { useConnection, useLive } from "./live.js";
import { journal, link, navigate } from "./router.js";
import { useSession } from "./session.js";
import { SETTINGS, choose, useSetting } from "./settings.js";
import { Choice, Dialog, Kbd, Menu, Toasts, focusSearch, useZone } from "./ui/index.js";

/** Path, title, icon, and the key that opens it after `g`. */
const NAVIGATION = /** @type {[string, string, string, string][]} */ ([
  ["/", "Executions", "executions", "e"],
  ["/approvals", "Approvals", "approvals", "a"],
  ["/plans", "Plans", "plans", "p"],
  ["/context", "Context", "context", "c"],
  ["/stats", "Stats", "stats", "s"],
]);

/** @param {{path: string, children?: any}} props */
export function Shell({ path, children }) {
  const [helping, help] = useState(false);
  const navigationKeys = NAVIGATION.map(([to, word, , key]) => [`g ${key}`, { label: `go to ${word.toLowerCase()}`, run: () => navigate(to) }]);
  useKeys("Everywhere", {
    "?": { label: "show these shortcuts", run: () => help(true) },
    "/": { label: "search", run: focusSearch },
    ...Object.fromEntries(navigationKeys),
  });
  return html`
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${link("/")} aria-label="Tallystick, executions"><${Mark} /><span>Tallystick</span></a>
      <${JournalName} />
      <${Navigation} path=${path} />
      <div class="top-end">
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
    ${helping && html`<${Help} onClose=${() => help(false)} />`}
  `;
}

/** @param {{path: string}} props */
function Navigation({ path }) {
  const pending = useLive({ kinds: ["approval_", "action_begun"], by: [journal()] }, (signal) =>
    get("/v1/approvals", { status: "pending", limit: 100 }, { signal }),
  );
  const waiting = pending.data?.approvals.length || 0;
  const here = (/** @type {string} */ to) => (to === "/" ? path === "/" || path.startsWith("/x/") : path.startsWith(to));
  return html`<nav class="navigation" aria-label="Main">
    ${NAVIGATION.map(
      ([to, word, icon]) => html`<a href=${link(to)} class="nav-link" aria-current=${here(to) ? "page" : null}>
        <${Icon} name=${icon} /><span>${word}</span>
        ${to === "/approvals" && waiting
          ? html`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${waiting}<span class="visually-hidden"> pending</span></span>`
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
      <a class="menu-item" href=${link("/compare")}><${Icon} name="compare" />Compare two executions</a>
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
