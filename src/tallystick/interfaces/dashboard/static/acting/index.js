/** What a person can do in place, for rows of lists and the page of an execution. */

import { useCommands } from "../commands.js";
import { html, useState } from "../html.js";
import { write } from "../json/serializer.js";
import { useJournals } from "../journals.js";
import { Button } from "../ui/button.js";
import { Copy, copyText } from "../ui/copy.js";
import { say } from "../ui/toast.js";
import { Acts } from "./acts.js";
import { executionActs, owedActs, retryAct, settleActs } from "./decisions.js";

export { mayRetry } from "./decisions.js";
export { useKeptRows } from "./open_forms.js";

/** Settle an action, if it is in doubt. @param {{action: string, doubtful?: boolean, onDone?: () => void}} props */
export function SettleActs({ action, doubtful = true, onDone }) {
  return html`<${Acts} about=${action} label="What came of it" acts=${doubtful ? settleActs(action) : []} over="It is not in doubt any more." onDone=${onDone} />`;
}

/** The name that the runner records under. */
const RUNNER = "runner";
const OPEN = ["not_undone", "undoing", "partly", "failed", "may_be_undo", "in_doubt"];

/**
 * Say that something owed is undone, or keep it.
 * @param {{item: {action_id: string, state: string, gone?: boolean, undone_by?: string, undo?: {words?: string, tool?: string, arguments?: any}}, offered: boolean, onDone?: () => void}} props
 *   `item` is one of `list_owed` or `get_undo_list`; without `offered` nobody has to do anything about it
 */
export function OwedActs({ item, offered, onDone }) {
  const { action_id: action, state, undo, undone_by: undoneBy } = item;
  const open = offered && OPEN.includes(state) && !item.gone;
  const text = undo?.tool ? `${undo.tool} ${write(undo.arguments || {})}` : undo?.words || "";
  const copy = open && text && html`<${CopyButton} text=${text} word="Copy the undo" done="The undo is copied." />`;
  const doubtful = open && state === "in_doubt" && Boolean(undoneBy);
  return html`${doubtful && html`<p class="soft">Its undo is in doubt:</p>`}
    ${undoneBy && html`<${SettleActs} action=${undoneBy} doubtful=${doubtful} onDone=${onDone} />`}
    <${Acts} about=${action} label="What is owed" acts=${open ? owedActs(action) : []} over="It is undone or kept by now." more=${copy} onDone=${onDone} />`;
}

/**
 * What to paste into an agent. It names ids only: a title was written by a model, and would be read as an instruction.
 * @param {{execution: {id: string, interrupted_by?: string}}} props
 */
function TakeUp({ execution: { id: execution, interrupted_by: by } }) {
  const { shown } = useJournals();
  const { commandLine } = useCommands();
  const command = commandLine(`get brief --execution-id ${execution}`);
  const resume = commandLine(`run --resume ${execution}`);
  const text = `Continue the execution ${execution} of the Tallystick journal ${JSON.stringify(shown)}. First read its brief: query_ledger with view=brief and execution_id=${execution}, or the command ${command}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;
  return html`<div class="take-up">
    ${by === RUNNER && html`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${resume}</code><${Copy} text=${resume} what="the command" /></span>`}
    <p class="act-title">${by === RUNNER ? "Or paste" : "Paste"} this into an agent</p>
    <div class="take-up-text"><p>${text}</p><${Copy} text=${text} what="the text for an agent" /></div>
  </div>`;
}

/**
 * Pause, resume, unwind or end an execution; interrupted work can also be taken up.
 * @param {{execution: {id: string, status: string, interrupted?: string, interrupted_by?: string}, onDone?: () => void}} props
 */
export function ExecutionActs({ execution, onDone }) {
  const [taking, take] = useState(false);
  const acts = executionActs(execution);
  const first = execution.interrupted && html`<${Button} kind="primary" icon="follow" aria-expanded=${String(taking)} onClick=${() => take(!taking)}>Take it up<//>`;
  return html`<${Acts} about=${execution.id} label="Decide about this execution" acts=${acts} over=${`The execution is ${execution.status} by now.`} first=${first} onDone=${onDone} />
    ${taking && execution.interrupted && html`<${TakeUp} execution=${execution} />`}`;
}

/** Permit another attempt at a step, if it failed. @param {{execution: string, step: string, failed: boolean, onDone?: () => void}} props */
export function RetryActs({ execution, step, failed, onDone }) {
  return html`<${Acts} about=${`${execution} ${step}`} label="Failed step" acts=${failed ? [retryAct(execution, step)] : []} over="No retry can be permitted any more." onDone=${onDone} />`;
}

/** @param {{text: string, word: string, done: string}} props */
function CopyButton({ text, word, done }) {
  const copy = async () => {
    const copied = await copyText(text);
    say(copied ? done : "It cannot be copied.", copied ? "ok" : "failed");
  };
  return html`<${Button} icon="copy" onClick=${copy}>${word}<//>`;
}
