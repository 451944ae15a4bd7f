/** The tab Journal: entries of an execution as a list that can be searched and followed. */

import { useActions } from "../execution/actions.js";
import { kindWord } from "../execution/entry.js";
import { html, names, useEffect, useMemo, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { useSetting } from "../settings.js";
import { Button, Choice, Empty, Loading, ProblemNote, SearchBox, Status, Text, Time, VirtualList, Witness, span } from "../ui/index.js";
import { useJournal } from "./entries.js";
import { Rows, isProblem, indexBySeq, standing } from "./rows.js";
import { pieces, useMatches } from "./search.js";

/** @typedef {import("./rows.js").Row} Row */

const ICONS = {
  decision_recorded: "claimed",
  approval_requested: "blocked",
  approval_decided: "completed",
  context_recorded: "context",
  execution_started: "running",
  execution_ended: "completed",
  action_noted: "edit",
  session_noted: "agent",
  body_erased: "close",
  unreadable: "warning",
};

/**
 * @param {{execution: string, selected: number, action: string, onEntry: (seq: number) => void,
 *   onAction: (id: string) => void}} props
 */
export function JournalTab({ execution, selected, action, onEntry, onAction }) {
  const { lines } = useActions(execution);
  const { entries, complete, problem, more } = useJournal(execution);
  const [form, setForm] = useState("compact");
  const [shown, setShown] = useState("all");
  const [follow, setFollow] = useState(false);
  const [text, setText] = useState("");
  const matches = useMatches(execution, text, complete ? entries.length : 0);
  const paired = form === "compact";
  const states = useMemo(() => new Map(paired ? lines.map((line) => [line.id, line.state]) : []), [lines, paired]);
  const book = useMemo(() => new Rows(paired), [entries[0]?.seq, paired]);
  const rows = useMemo(() => [...book.take(entries)], [book, entries]);
  const seen = useMemo(() => (shown === "all" ? rows : rows.filter((row) => isProblem(row, states))), [rows, shown, states]);
  const where = useMemo(() => (shown === "all" ? book.indexBySeq : indexBySeq(seen)), [book, seen, shown]);
  const [mark, setMark] = useState(0); // an entry, and not a row: rows move with the form
  const at = where.get(mark) ?? -1;
  const sought = useRef("");
  useEffect(() => {
    const wanted = selected || action ? `${selected} ${action}` : "";
    if (wanted === sought.current) return; // new entries must not move the view
    const index = selected ? where.get(selected) : seen.findIndex((row) => row.entry.id === action);
    if (wanted && (index === undefined || index < 0)) return; // not loaded yet
    sought.current = wanted;
    if (wanted) setMark(seen[/** @type {number} */ (index)].entry.seq);
  }, [selected, action, seen]);
  const open = (/** @type {Row} */ row) => (row.entry.id.startsWith("ac_") && paired ? onAction(row.entry.id) : onEntry(row.entry.seq));
  const go = (/** @type {number} */ index) => seen[index] && (setFollow(false), setMark(seen[index].entry.seq));
  const failure = useMemo(() => seen.findIndex((row) => standing(row, states) === "failed"), [seen, states]);
  const hits = useMemo(() => [...new Set(matches.seqs.map((seq) => where.get(seq)))].filter((index) => index !== undefined), [matches.seqs, seen]);
  const marked = useMemo(() => new Set(hits), [hits]);
  const nth = hits.findIndex((index) => index === at);
  const step = (/** @type {number} */ by) => hits.length && go(/** @type {number} */ (hits[nth < 0 ? (by > 0 ? Math.max(0, hits.findIndex((index) => index > at)) : hits.length - 1) : (nth + by + hits.length) % hits.length]));
  useKeys("Journal", {
    j: { label: "next entry", run: () => go(at + 1) },
    k: { label: "previous entry", run: () => go(at - 1) },
    Enter: { label: "open the entry", run: () => seen[at] && open(seen[at]) },
    f: { label: "follow", run: () => setFollow(!follow) },
    e: { label: "go to the first failure", run: () => go(failure) },
    n: { label: "next match", run: () => step(1) },
    N: { label: "previous match", run: () => step(-1) },
  });
  const opened = useRef((/** @type {Row} */ _row) => {});
  opened.current = (row) => (setMark(row.entry.seq), open(row));
  const density = useSetting("density");
  const height = density === "comfortable" ? 40 : 30;
  if (problem && !entries.length) return html`<${ProblemNote} problem=${problem} />`;
  if (!entries.length) return complete ? html`<${Empty} title="No entries." />` : html`<${Loading} what="Loading the journal" />`;
  return html`<div class="journal">
    <div class="journal-tools">
      <${SearchBox} label="Search this journal" value=${text} onChange=${setText} onEnter=${() => step(1)} placeholder="Search all entries">
        ${text && html`<span class="journal-count" role="status">${matches.done ? `${nth >= 0 ? `${nth + 1} of ` : ""}${hits.length}${matches.more ? "+" : ""} in ${matches.seqs.length}${matches.more ? "+" : ""} entries` : "…"}</span>
          <${Button} kind="ghost" icon="up" label="Previous match" onClick=${() => step(-1)} /><${Button} kind="ghost" icon="down" label="Next match" onClick=${() => step(1)} />`}
      </${SearchBox}>
      <${Choice} label="Entries" value=${form} choices=${[["compact", "Compact"], ["full", "Full"]]} onChange=${setForm} />
      <${Choice} label="Which" value=${shown} choices=${[["all", "All"], ["problems", "Problems and decisions"]]} onChange=${setShown} />
      <span class="journal-end">
        <${Button} icon="first" disabled=${failure < 0} onClick=${() => go(failure)}>First failure</${Button}>
        <${Button} icon="follow" pressed=${follow} onClick=${() => setFollow(!follow)}>Follow</${Button}>
        <span class="soft num">${seen.length} rows, ${entries.length}${complete ? "" : "…"} entries</span>
      </span>
    </div>
    <${ProblemNote} problem=${problem || matches.problem} />
    <div class="journal-list panel">
      <${VirtualList}
        label="Journal"
        rows=${seen}
        height=${height}
        selected=${at}
        atEnd=${follow}
        onEnd=${(/** @type {boolean} */ end) => follow && !end && setFollow(false)}
        onNear=${more}
        looks=${(/** @type {Row} */ row, /** @type {number} */ index) => [index, height, index === at, marked.has(index), standing(row, states), text].join(" ")}
        row=${(/** @type {Row} */ row, /** @type {number} */ index) => html`<${Line} key=${row.entry.seq} row=${row} state=${standing(row, states)} height=${height} on=${index === at} hit=${marked.has(index)} search=${text} onOpen=${() => opened.current(row)} />`}
      />
    </div>
  </div>`;
}

/** @param {{row: Row, state: string, height: number, on: boolean, hit: boolean, search: string, onOpen: () => void}} props */
function Line({ row, state, height, on, hit, search, onOpen }) {
  const { entry, end } = row;
  const text = end?.text && state === "failed" ? `${entry.text ? `${entry.text}: ` : ""}${end.text}` : entry.text || end?.text || (entry.tool ? "" : entry.id);
  const icon = ICONS[/** @type {keyof typeof ICONS} */ (entry.kind)];
  const behind = entry.behind || end?.behind;
  return html`<div class=${names("line", on && "line-on", hit && "line-hit", state && `line-${state}`)} role="listitem" style=${{ height: `${height}px` }}>
    <span class="num faint">${entry.seq}${end ? html`<span class="line-pair">–${end.seq}</span>` : null}</span>
    <${Time} at=${entry.at} form="absolute" />
    <span class="line-state">${state ? html`<${Status} state=${state} quiet />` : html`<span class="line-kind">${icon && html`<${Icon} name=${icon} />`}${entry.word || kindWord(entry.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(on)} onClick=${onOpen}>
      ${behind ? html`<span class="soft">(clock ${span(behind * 1000)} behind) </span>` : null}${entry.undo && html`<strong>undo </strong>`}${entry.tool ? html`<code><${Text} text=${entry.tool} /></code> ` : state || !entry.word ? null : html`<span class="soft">${kindWord(entry.kind)} </span>`}
      ${search ? pieces(text, search).map((part) => (part.hit ? html`<mark><${Text} text=${part.text} /></mark>` : html`<${Text} text=${part.text} />`)) : html`<${Text} text=${text} />`}
    </button>
    <span class="line-who cut"><${Text} text=${entry.actor} /></span>
    <span class="line-witness"><${Witness} witness=${entry.witness} /></span>
    <span class="num line-took">${end && !end.late && !entry.late && !["in_doubt", "skipped"].includes(state) ? span(Date.parse(end.at) - Date.parse(entry.at)) : ""}</span>
  </div>`;
}
