/** The page Webhooks: which addresses are told of new entries, how far they have come, and what to do if one is stuck. */

import { get } from "../api.js";
import { CredentialForm } from "../approvals/credential.js";
import { html, useEffect, useState } from "../html.js";
import { useLive } from "../live.js";
import { journal } from "../router.js";
import { useSession } from "../session.js";
import { Button, Dialog, Empty, Loading, Panel, ProblemNote } from "../ui/index.js";
import { AddForm } from "../webhooks/add.js";
import { ACTIONS } from "../webhooks/actions.js";
import { Rows } from "../webhooks/rows.js";

const RELOAD_MILLISECONDS = 5_000;
/** Deliveries are no entries: nothing announces them. */

/** @typedef {import("../types.js").Webhook} Webhook */

export function Page() {
  const { data, problem, reload } = useLive({ kinds: ["webhook_"], by: [journal()] }, (signal) => get("/v1/webhooks", { limit: 100 }, { signal }));
  const refused = /** @type {any} */ (problem)?.status === 403;
  const [open, setOpen] = useState(/** @type {{action: string, webhook?: Webhook} | null} */ (null));
  useEffect(() => {
    if (refused) return;
    const timer = setInterval(reload, RELOAD_MILLISECONDS);
    return () => clearInterval(timer);
  }, [refused]);
  const close = () => (setOpen(null), reload());
  const choose = (/** @type {string} */ action, /** @type {Webhook} */ webhook) => setOpen({ action, webhook });
  return html`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${refused
      ? html`<${Panel}><p>Webhooks are shown to admins only.</p><${CredentialForm} scope="admin" onDone=${reload} /><//>`
      : html`<${ProblemNote} problem=${problem} retry=${reload} />`}
    ${data && html`<p><${Button} kind="primary" onClick=${() => setOpen({ action: "add" })}>Add a webhook<//></p>`}
    ${!data
      ? !problem && html`<${Loading} />`
      : data.webhooks.length
        ? html`<${Panel} flush><${Rows} webhooks=${data.webhooks} onChoose=${choose} /><//>`
        : html`<${Panel}><${Empty} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`}
    ${open && html`<${OneDialog} ...${open} onClose=${close} />`}
  </div>`;
}

/** @param {{action: string, webhook?: Webhook, onClose: () => void}} props */
function OneDialog({ action, webhook, onClose }) {
  const session = useSession();
  const chosen = ACTIONS[action];
  const title = webhook ? `${chosen.title} ${webhook.name}` : "Add a webhook";
  const Form = chosen?.form || AddForm;
  return html`<${Dialog} title=${title} onClose=${onClose}>
    ${session.scopes.includes("admin") ? html`<${Form} webhook=${webhook} onDone=${onClose} />` : html`<${CredentialForm} scope="admin" />`}
  <//>`;
}
