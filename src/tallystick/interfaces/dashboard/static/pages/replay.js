/** The page Replay: the state of one execution after each entry. */

import { get } from "../api.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { useLive } from "../live.js";
import { Replay } from "../replay/fold.js";
import { DecisionPanel, EntryPanel, OpenPanel, UndoListPanel, PlanPanel } from "../replay/panels.js";
import { countToFirst, useEntryHistory } from "../replay/entries.js";
import { Track } from "../replay/track.js";
import { link, setQuery } from "../router.js";
import { useSetting } from "../settings.js";
import { Loading, ProblemNote, Status, Text, exact } from "../ui/index.js";

const REST = 300;
/** Delay in milliseconds before the position is written to the address: browsers limit how often it may change. */

/** @param {{id: string, query: URLSearchParams}} props */
export function Page({ id, query }) {
  const { entries, complete, problem } = useEntryHistory(id);
  const status = useLive({ by: [id], kinds: ["execution_ended"] }, (signal) => get(`/v1/executions/${encodeURIComponent(id)}/status`, { limit: 1 }, { signal }));
  const execution = status.data?.execution;
  const plan = useLive({ by: [execution?.plan_id ?? ""], kinds: ["plan_recorded"] }, (signal) =>
    execution?.plan_id ? get(`/v1/plans/${execution.plan_id}`, {}, { signal }) : Promise.resolve(null));
  const zone = useSetting("zone");
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState("4");
  const replay = useMemo(() => new Replay(entries), [entries]);
  const wanted = Number(query.get("at")) || 0;

  useEffect(() => {
    if (at || !entries.length || (!complete && entries[entries.length - 1].seq < wanted)) return;
    setAt(Math.max(1, wanted ? replay.countTo(wanted) : countToFirst(entries)));
  }, [entries, complete]);
  useEffect(() => {
    if (!at || playing) return undefined;
    const timer = setTimeout(() => setQuery({ at: entries[at - 1]?.seq }, { replace: true }), REST);
    return () => clearTimeout(timer);
  }, [at, playing]);
  const play = (/** @type {boolean} */ on) => {
    if (on && at >= entries.length) setAt(1);
    setPlaying(on);
  };

  const shown = Math.min(at, entries.length);
  const entry = entries[shown - 1];
  const state = entry ? replay.at(shown) : null;
  const steps = plan.data?.revisions.find((/** @type {any} */ each) => each.revision === state?.revision)?.steps ?? [];
  return html`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${link(`/x/${id}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${Text} text=${execution?.title || id} /></h1>
        ${state?.status && html`<${Status} state=${state.status} />`}
        ${entry && html`<time class="soft num" dateTime=${entry.at}>${exact(entry.at, zone)}</time>`}
      </div>
    </header>
    <${ProblemNote} problem=${problem || status.problem} />
    ${!entry || !state
      ? !problem && html`<${Loading} what=${entries.length ? `Reading, ${entries.length} entries so far` : "Reading"} />`
      : html`
        <${Track} entries=${entries} complete=${complete} at=${shown} onMove=${setAt} playing=${playing} onPlay=${play} speed=${speed} onSpeed=${setSpeed} />
        ${!complete && html`<p class="soft" role="status">Reading on: ${entries.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${EntryPanel} entry=${entry} execution=${id} /><${DecisionPanel} state=${state} /></div>
          <div><${PlanPanel} state=${state} steps=${steps} entry=${entry} /><${OpenPanel} state=${state} now=${entry.id} /></div>
          <div><${UndoListPanel} state=${state} now=${entry.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`;
}
