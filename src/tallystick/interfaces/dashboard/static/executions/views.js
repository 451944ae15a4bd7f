/** Saved views: a name for an address, kept in this browser. */

import { html, useState } from "../html.js";
import { current, navigate } from "../router.js";
import { Button, Menu } from "../ui/index.js";

const KEPT = "tallystick.views";

/** @typedef {{name: string, query: string}} View */

/** @returns {View[]} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export function Views() {
  const [views, setViews] = useState(kept);
  const [name, setName] = useState("");
  const query = current().query.toString();
  const keep = (/** @type {View[]} */ next) => {
    localStorage.setItem(KEPT, JSON.stringify(next));
    setViews(next);
  };
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name.trim()) return;
    keep([...views.filter((each) => each.name !== name.trim()), { name: name.trim(), query }]);
    setName("");
  };
  const shown = views.find((each) => each.query === query);
  return html`<${Menu} label="Saved views" icon="save" word=${shown ? shown.name : "Views"} end>
    <div class="views">
      ${views.length ? null : html`<p class="soft">A view is what you filter by, under a name.</p>`}
      <ul>
        ${views.map(
          (view) => html`<li key=${view.name}>
            <button type="button" class="menu-item" data-close onClick=${() => navigate(`/?${view.query}`)}>${view.name}</button>
            <${Button} kind="ghost" icon="close" label=${`Forget ${view.name}`} onClick=${() => keep(views.filter((each) => each !== view))} />
          </li>`,
        )}
      </ul>
      <form onSubmit=${save}>
        <input aria-label="Name of this view" placeholder="Name of this view" value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
        <${Button} type="submit" kind="primary">Save</${Button}>
      </form>
    </div>
  </${Menu}>`;
}
