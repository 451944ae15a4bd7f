/** The page Approvals: pending questions of agents to people, and the answered ones. */

import { pastOf, refusal } from "../approvals/answer.js";
import { BatchBar, BatchDialog } from "../approvals/batch.js";
import { soonestFirst } from "../approvals/time_left.js";
import { CredentialForm } from "../approvals/credential.js";
import { statusAt } from "../approvals/expiry.js";
import { NotifyButton } from "../approvals/notify.js";
import { Question } from "../approvals/question.js";
import { ApprovalRows } from "../approvals/rows.js";
import { draftOf, draftVerdict, isCall, mayChoose } from "../approvals/verdict.js";
import { get } from "../api.js";
import { forgetDraft } from "../drafts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { useLive, useReconnect } from "../live.js";
import { isImport, link, navigate } from "../router.js";
import { refreshSession, useSession } from "../session.js";
import { Button, Empty, Loading, ProblemNote, Tabs, Text, say } from "../ui/index.js";
import { useNow } from "../ui/time.js";

const PAGE = 100;
/** A question that appeared by itself is not answered by a key before this time: the key was meant for something else. */
const READ_MILLISECONDS = 2000;
const KINDS = ["approval_", "action_begun", "body_erased"];
const ANSWERS = [
  ["", "All"], ["approve", "Accepted"], ["edit", "With changes"], ["reject", "Rejected"], ["respond", "Answered"], ["used", "Used"], ["expired", "Expired"], ["closed", "Closed"],
];

/** @param {{id?: string, query: URLSearchParams}} props */
export function Page({ id = "", query }) {
  const past = query.get("tab") === "history";
  const status = query.get("status") || "";
  const execution = query.get("execution") || "";
  const kept = { tab: past && "history", status, execution };
  const [limit, setMost] = useState(PAGE);
  const list = useLive({ by: [past, status, execution, limit], kinds: KINDS }, (signal) => load({ past, status, execution, limit }, signal));
  const one = useLive({ by: [id], kinds: KINDS }, (signal) =>
    id ? get(`/v1/approvals/${encodeURIComponent(id)}`, {}, { signal }) : Promise.resolve(null));
  const session = useSession();
  const now = useNow();
  const [marked, setMarked] = useState(() => new Set());
  const [verdict, setVerdict] = useState("");
  const [batch, setBatch] = useState(/** @type {{verdict: "approve" | "reject", approvals: any[]} | null} */ (null));
  const [rejection, setRejection] = useState({ id: "", text: "", unreachable: false });
  useReconnect(() => setRejection((before) => (before.unreachable ? { ...before, text: "" } : before)));

  const loaded = list.data?.name === listName({ past, status, execution }); // else it is the list of the tab before
  const approvals = loaded && list.data ? list.data.approvals : [];
  const wide = useWide();
  const shown = one.data?.id === id ? one.data : null;
  const first = approvals[0]?.id ?? "";
  const selected = approvals.filter((each) => marked.has(each.id) && statusAt(each, now) === "pending");
  // What was typed for a question and not sent opens again with it.
  useLayoutEffect(() => setVerdict(shown?.status === "pending" ? draftVerdict(shown) : ""), [id, shown?.id]); // before a key is pressed
  const sent = useRef("");
  const statusNow = shown ? statusAt(shown, now) : "";
  // The form stays: what a person goes on typing in it must not become shortcuts.
  useEffect(() => {
    if (!shown || !verdict || statusNow === "pending" || sent.current === shown.id) return;
    setRejection({ id: shown.id, text: refusal({}, { ...shown, status: statusNow }), unreachable: false });
  }, [statusNow]);
  // The shown question is in the address at once, so that a new one cannot replace it while a person answers.
  const empty = useRef(false);
  const arrived = useRef({ id: "", at: 0 });
  useEffect(() => {
    if (!id && first && (wide || (execution && approvals.length === 1))) {
      if (empty.current) arrived.current = { id: first, at: performance.now() };
      navigate(link(`/approvals/${first}`, kept), { replace: true });
    }
    empty.current = loaded && !first;
  }, [wide, id, first, execution, loaded]);

  const move = (/** @type {number} */ step) => {
    const at = approvals.findIndex((each) => each.id === id);
    const next = approvals[Math.max(0, Math.min(approvals.length - 1, at + step))];
    if (next) navigate(link(`/approvals/${next.id}`, kept), { replace: Boolean(id) });
  };
  const mark = (/** @type {string} */ each) => setMarked((before) => {
    const after = new Set(before);
    if (!after.delete(each)) after.add(each);
    return after;
  });
  const done = (/** @type {import("../approvals/decision.js").Outcome} */ outcome) => {
    if (outcome.ok) (setVerdict(""), shown && forgetDraft(draftOf(shown)));
    if (outcome.refused) void refreshSession();
    sent.current = outcome.ok ? outcome.id : "";
    setRejection({ id: outcome.id, text: outcome.problem, unreachable: Boolean(outcome.unreachable) });
    if (outcome.ok) say(`${outcome.id}: ${pastOf(outcome.status)}.`, "ok");
    list.reload();
    one.reload();
  };

  const open = shown && statusNow === "pending" && session.may_decide && !isImport();
  const choose = (/** @type {string} */ name) => ({ label: `${SAYS[name]} it`, run: () => {
    const unread = arrived.current.id === id && performance.now() - arrived.current.at < READ_MILLISECONDS;
    if (unread) say("This question has just arrived: read it first.");
    else setVerdict(name);
  } });
  useKeys("Approvals", {
    j: { label: "Next question", run: () => move(1) },
    k: { label: "Previous question", run: () => move(-1) },
    a: open && mayChoose(shown, "approve") && choose("approve"),
    e: open && isCall(shown) && choose("edit"),
    r: open && choose("reject"),
    m: open && choose("respond"),
    x: !past && !isImport() && shown && { label: "Select it for one answer to several", run: () => mark(shown.id) },
    Escape: { label: "Cancel the answer, or go back to the list", run: () => (verdict ? setVerdict("") : id && navigate(link("/approvals", { ...kept, status: "" }))) },
  });

  return html`<div class=${`approvals ${id ? "has-chosen" : ""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${NotifyButton} />
      </header>
      <${Tabs} label="Which questions" value=${past ? "history" : "pending"} href=${(/** @type {string} */ tab) => link("/approvals", { tab: tab === "history" && tab })}
        tabs=${[{ id: "pending", title: "Pending", count: past ? 0 : approvals.length, tone: "waiting" }, { id: "history", title: "History" }]} />
      ${execution && html`<p class="soft approvals-of">Of <a href=${link(`/x/${execution}`)}><${Text} text=${approvals[0]?.title || execution} /></a>. <a href=${link("/approvals", { tab: past && "history" })}>All questions</a></p>`}
      ${past && html`<${AnswerFilter} status=${status} />`}
      ${!past && session.version && !session.may_decide && marked.size ? html`<${CredentialForm} />` : null}
      ${selected.length > 0 && session.may_decide &&
      html`<${BatchBar} approvals=${selected} onVerdict=${(/** @type {"approve" | "reject"} */ word) => setBatch({ verdict: word, approvals: selected })} onClear=${() => setMarked(new Set())} />`}
      <${ProblemNote} problem=${list.problem} retry=${list.reload} />
      ${loaded && list.data
        ? approvals.length
          ? html`<${ApprovalRows} label=${past ? "Answered questions" : "Pending questions, the soonest to expire first"}
              approvals=${approvals} chosen=${id} now=${now} marked=${past || isImport() ? undefined : marked} onMark=${mark} />
              ${list.data.more && html`<${Button} onClick=${() => setMost(limit + PAGE)}>Show older<//>`}`
          : html`<${Nothing} past=${past} />`
        : !list.problem && html`<${Loading} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${id && html`<a class="back" href=${link("/approvals", kept)}>All questions</a>`}
      ${id && html`<${ProblemNote} problem=${one.problem} retry=${one.reload} />`}
      ${shown
        ? html`<${Question} key=${shown.id} approval=${shown} mayDecide=${session.version ? session.may_decide : null} verdict=${verdict} onVerdict=${setVerdict}
            onSend=${() => (sent.current = shown.id)} onDone=${done} rejection=${rejection.id === shown.id ? rejection.text : ""} />`
        : null}
    </section>
    ${batch && html`<${BatchDialog} ...${batch} onClose=${() => (setBatch(null), setMarked(new Set()), list.reload(), one.reload())} />`}
  </div>`;
}

const SAYS = /** @type {Record<string, string>} */ ({ approve: "Accept", edit: "Edit", reject: "Reject", respond: "Respond to" });

/**
 * @param {{past: boolean, status: string, execution: string, limit: number}} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<{name: string, approvals: import("../types.js").ApprovalView[], more: boolean}>}
 */
async function load({ past, status, execution, limit }, signal) {
  /** @type {import("../types.js").ApprovalView[]} */
  const found = [];
  let cursor = "";
  do {
    const page = await get("/v1/approvals", { status: past ? status : "pending", execution_id: execution, limit: PAGE, cursor }, { signal });
    found.push(...page.approvals.filter((/** @type {any} */ each) => !past || each.status !== "pending"));
    cursor = page.next_cursor || "";
  } while (cursor && found.length < limit);
  return { name: listName({ past, status, execution }), approvals: past ? found : soonestFirst(found), more: Boolean(cursor) };
}

/** @param {{past: boolean, status: string, execution: string}} wanted */
const listName = ({ past, status, execution }) => [past, status, execution].join("/");

/** @param {{status: string}} props */
function AnswerFilter({ status }) {
  return html`<nav class="chips" aria-label="Answered how">
    ${ANSWERS.map(([value, word]) => html`<a class="chip" href=${link("/approvals", { tab: "history", status: value })} aria-current=${value === status ? "true" : null}>${word}</a>`)}
  </nav>`;
}

/** @param {{past: boolean}} props */
function Nothing({ past }) {
  if (past) return html`<${Empty} icon="approvals" title="No answered questions yet." />`;
  return html`<${Empty} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`;
}

/** Whether list and question fit side by side; on a phone each fills the screen. */
function useWide() {
  const query = "(min-width: 900px)";
  const [wide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = () => setWide(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  return wide;
}
