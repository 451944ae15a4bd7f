/** The form for a credential that may do more than look. The server keeps it for the session. */

import { WhoMay } from "../acting/who_may.js";
import { Problem, post } from "../api.js";
import { html, useId, useRef, useState } from "../html.js";
import { refreshSession } from "../session.js";
import { useCommands } from "../commands.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";

const REASONS = {
  approve: "Deciding needs an approver’s credential. An agent’s token can never do it.",
  admin: "This needs a credential with the scope “admin”. An agent’s token can never do it.",
};

/** @param {{onDone?: () => void, scope?: "approve" | "admin"}} props */
export function CredentialForm({ onDone, scope = "approve" }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const [asked, setAsked] = useState(false);
  const id = useId();
  const command = useCommands().commandLine("credential add NAME");

  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    const tried = token;
    const problemText = await post("/login", { token: tried.trim() }).then(() => "", wrong);
    const session = problemText ? null : await refreshSession();
    setBusy(false);
    setToken((typed) => (typed === tried ? "" : typed)); // it may have been typed anew meanwhile
    if (session && (scope === "approve" ? session.may_decide : session.scopes.includes(scope))) onDone?.();
    else {
      setProblem(problemText || `This credential ${scope === "approve" ? "may not decide: it " : ""}lacks the scope “${scope}”.`);
      if (form.current?.contains(document.activeElement)) document.getElementById(id)?.focus(); // a person who went on keeps the focus
    }
  };

  return html`<form class="credential" ref=${form} onSubmit=${send} aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${id}>
        <span>Credential <span class="faint">${REASONS[scope]}</span></span>
        <input
          id=${id} type="password" autocomplete="current-password" spellcheck="false" required value=${token}
          placeholder="ts_…" aria-describedby=${`${id}-problem`} aria-invalid=${problem ? "true" : null}
          onInput=${(/** @type {any} */ event) => (setToken(event.target.value), setProblem(""))}
        />
      </label>
      <${Button} kind="primary" type="submit" disabled=${busy || !token.trim()}>Use it in this session<//>
    </div>
    <p id=${`${id}-problem`} class="field-problem" role="alert">${problem}</p>
    <details class="credential-how" onToggle=${(/** @type {any} */ event) => setAsked(event.target.open)}>
      <summary>${scope === "approve" ? "I have none: who may decide?" : "I have none"}</summary>
      ${asked && scope === "approve" && html`<${WhoMay} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${command}</code><${Copy} text=${command} what="the command" /></span>
    </details>
  </form>`;
}

/** @param {Problem} problem */
function wrong(problem) {
  return problem.status === 401 || problem.status === 403 ? "This credential is unknown or no longer valid." : problem.message;
}
