/** One search over everything: it opens with Ctrl+K, Cmd+K or `/`, and without words it offers recent places. */

import { get } from "../api.js";
import { html, useEffect, useId, useMemo, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { navigate } from "../router.js";
import { Kbd, ProblemNote, Text, Time } from "../ui/index.js";
import { KINDS, placeOf } from "./places.js";
import { recentPlaces } from "./recent.js";
import { parseSearch } from "./terms.js";

/** @typedef {import("./places.js").Found} Found */

const TYPING_PAUSE_MILLISECONDS = 150;
const HANDLE = /^(ex|pl|ap)_[a-z0-9]+$/;
const HANDLES = /** @type {Record<string, {kind: string, path: string, titleOf: (found: any) => string}>} */ ({
  ex: { kind: "execution", path: "executions", titleOf: (found) => found.title },
  pl: { kind: "plan", path: "plans", titleOf: (found) => found.revisions[0].title },
  ap: { kind: "approval", path: "approvals", titleOf: (found) => found.question },
});
const PAGES = [["/", "Home"], ["/executions", "Executions"], ["/approvals", "Approvals"], ["/plans", "Plans"], ["/context", "Context"], ["/stats", "Stats"], ["/alerts", "Alerts"], ["/webhooks", "Webhooks"], ["/compare", "Compare two executions"]];

/** @param {{onClose: () => void}} props */
export function Palette({ onClose }) {
  const [text, type] = useState("");
  const { found, searched, problem, pending } = useMatches(text);
  const opensFirst = useRef(false);
  const [chosen, choose] = useState(0);
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    const shown = box.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    choose(0);
    if (opensFirst.current && found[0]) open(found[0]);
    opensFirst.current = false;
  }, [found]);
  useEffect(() => box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen, found]);
  const open = (/** @type {Found} */ each) => (onClose(), navigate(placeOf(each)));
  const key = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) choose((chosen + by + found.length) % Math.max(found.length, 1));
    else if (event.key === "Enter" && pending) opensFirst.current = true; // what is shown is of an earlier text
    else if (event.key === "Enter" && found[chosen]) open(found[chosen]);
    else return;
    event.preventDefault();
  };
  const outside = (/** @type {MouseEvent} */ event) => event.target === box.current && onClose();
  return html`<dialog ref=${box} class="dialog palette" aria-label="Search" onCancel=${(/** @type {Event} */ event) => (event.preventDefault(), onClose())} onClick=${outside}>
    <div class="palette-box">
      <div class="palette-input">
        <${Icon} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${id} aria-activedescendant=${found.length ? `${id}-${chosen}` : null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${text}
          onInput=${(/** @type {any} */ event) => type(event.target.value)} onKeyDown=${key} />
        <button type="button" class="button button-ghost" onClick=${onClose}>Close</button>
      </div>
      <${ProblemNote} problem=${problem} />
      <div id=${id} class="palette-list" role="listbox" aria-label="Found">
        ${groups(found).map(([kind, members]) => html`<div role="group" aria-label=${KINDS[kind][0]} key=${kind}>
          <div class="palette-kind" aria-hidden="true">${KINDS[kind][0]}</div>
          ${members.map(([each, index]) => html`<${Option} key=${`${each.kind} ${each.id}`} id=${`${id}-${index}`} found=${each} chosen=${index === chosen} onOpen=${() => open(each)} onPoint=${() => choose(index)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${pending ? "Searching…" : !found.length ? (searched ? "Nothing was found." : "") : html`<span class="visually-hidden">${found.length} found</span>`}</p>
      <p class="palette-hints soft"><span><${Kbd} keys="↑ ↓" /> choose <${Kbd} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`;
}

/**
 * The matches of a text, a moment after it was typed; without a text, recent places and pages.
 * @param {string} text
 */
function useMatches(text) {
  const start = useMemo(() => [...recentPlaces().map((each) => ({ kind: "recent", id: each.path, ...each })), ...PAGES.map(([path, title]) => ({ kind: "page", id: path, path, title }))], []);
  const [state, set] = useState(/** @type {{found: Found[], searched: boolean, problem: any, of?: string}} */ ({ found: start, searched: false, problem: null }));
  useEffect(() => {
    const asked = parseSearch(text);
    if (!asked.text && !asked.since && !asked.until) return set({ found: start, searched: false, problem: null, of: text });
    const abort = new AbortController();
    const timer = setTimeout(() => search(asked, abort.signal).then(
      (found) => abort.signal.aborted || set({ found, searched: true, problem: null, of: text }),
      (problem) => abort.signal.aborted || set({ found: [], searched: true, problem, of: text }),
    ), TYPING_PAUSE_MILLISECONDS);
    return () => (clearTimeout(timer), abort.abort());
  }, [text]);
  return { ...state, pending: text !== (state.of ?? "") };
}

/**
 * @param {{text: string, since?: string, until?: string}} asked
 * @param {AbortSignal} signal
 * @returns {Promise<Found[]>}
 */
async function search(asked, signal) {
  const handle = HANDLE.exec(asked.text);
  if (handle) {
    const { kind, path, titleOf } = HANDLES[handle[1]];
    const title = await get(`/v1/${path}/${asked.text}`, {}, { signal }).then(titleOf, () => ""); // it may not be complete yet
    return [{ kind, id: asked.text, title: title || asked.text, snippet: ["", asked.text] }];
  }
  const pages = PAGES.filter(([, title]) => asked.text && title.toLowerCase().startsWith(asked.text.toLowerCase())).map(([path, title]) => ({ kind: "page", id: path, path, title }));
  if (/[\p{L}\p{N}]/u.test(asked.text)) return [...pages, ...(await get("/v1/matches", asked, { signal })).matches];
  if (asked.text) return [];
  const listed = await get("/v1/executions", { since: asked.since, until: asked.until, limit: 20 }, { signal });
  return listed.executions.map((/** @type {any} */ row) => ({ kind: "execution", id: row.id, title: row.title, at: row.started, who: row.actor }));
}

/**
 * @param {Found[]} found
 * @returns {[string, [Found, number][]][]}
 */
function groups(found) {
  /** @type {Map<string, [Found, number][]>} */
  const made = new Map();
  found.forEach((each, index) => made.set(each.kind, [...(made.get(each.kind) ?? []), [each, index]]));
  return [...made];
}

/** @param {{id: string, found: Found, chosen: boolean, onOpen: () => void, onPoint: () => void}} props */
function Option({ id, found, chosen, onOpen, onPoint }) {
  const pieces = found.snippet ?? [];
  const title = found.title || found.id;
  const isTitle = pieces.length > 0 && pieces.join("") === title;
  const where = found.execution_title && found.kind !== "execution" ? found.execution_title : "";
  return html`<a role="option" id=${id} tabindex="-1" class="palette-option" href=${placeOf(found)} aria-selected=${String(chosen)} onMouseMove=${onPoint}
    onClick=${(/** @type {MouseEvent} */ event) => { if (event.metaKey || event.ctrlKey || event.shiftKey) return; event.preventDefault(); onOpen(); }}>
    <${Icon} name=${KINDS[found.kind]?.[1] ?? "table"} />
    <span class="palette-what">
      <span class="palette-title cut">${isTitle ? html`<${Marked} pieces=${pieces} />` : html`<${Text} text=${title} />`}</span>
      ${pieces.length > 0 && !isTitle && html`<span class="palette-snippet cut"><${Marked} pieces=${pieces} /></span>`}
      ${(where || found.who) && html`<span class="palette-where cut soft">${where && html`<${Text} text=${where} />`}${where && found.who ? " · " : ""}${found.who && html`<${Text} text=${found.who} />`}</span>`}
    </span>
    ${found.at && html`<span class="palette-at soft"><${Time} at=${found.at} /></span>`}
  </a>`;
}

/** Every second piece is a hit. @param {{pieces: string[]}} props */
function Marked({ pieces }) {
  return pieces.map((piece, index) => (index % 2 ? html`<mark><${Text} text=${piece} /></mark>` : html`<${Text} text=${piece} />`));
}
