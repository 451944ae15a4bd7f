/** The form for an approver's credential, which every decision needs. The server keeps it for the session. */

import { Problem, post } from "../api.js";
import { html, useId, useState } from "../html.js";
import { Icon } from "../icons.js";
import { refreshSession } from "../session.js";
import { useCommands } from "../commands.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";

/** @param {{onDone?: () => void}} props */
export function CredentialForm({ onDone }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const id = useId();
  const command = useCommands().commandLine("credential add NAME");

  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    const problemText = await post("/login", { token: token.trim() }).then(() => "", wrong);
    const session = problemText ? null : await refreshSession();
    setBusy(false);
    setToken("");
    if (session?.may_decide) onDone?.();
    else setProblem(problemText || "This credential may not decide: it lacks the scope “approve”.");
  };

  return html`<form class="credential" onSubmit=${send} aria-labelledby=${`${id}-title`}>
    <h3 id=${`${id}-title`}><${Icon} name="person" /> Who are you?</h3>
    <p class="soft">Deciding needs an approver’s credential. An agent’s token can never do it.</p>
    <label class="field" for=${id}>
      <span>Credential</span>
      <input
        id=${id} type="password" autocomplete="current-password" spellcheck="false" required value=${token}
        placeholder="ts_…" aria-describedby=${`${id}-problem`} aria-invalid=${problem ? "true" : null}
        onInput=${(/** @type {any} */ event) => (setToken(event.target.value), setProblem(""))}
      />
    </label>
    <p id=${`${id}-problem`} class="field-problem" role="alert">${problem}</p>
    <${Button} kind="primary" type="submit" disabled=${busy || !token.trim()}>Use it in this session<//>
    <p class="soft credential-how">
      If you have none, the operator of this server can create one. It is shown once:
      <span class="command"><code>${command}</code><${Copy} text=${command} what="the command" /></span>
    </p>
  </form>`;
}

/** @param {Problem} problem */
function wrong(problem) {
  return problem.status === 401 || problem.status === 403 ? "This credential is unknown or no longer valid." : problem.message;
}
