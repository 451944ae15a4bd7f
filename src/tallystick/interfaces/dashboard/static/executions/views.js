/** Saved views: named filters, stored in this browser. */

import { html, useState } from "../html.js";
import { current, navigate } from "../router.js";
import { Button, Menu } from "../ui/index.js";

const STORAGE_KEY = "tallystick.views";

/** @typedef {{name: string, query: string}} View */

/** @returns {View[]} */
function savedViews() {
  try {
    const found = JSON.parse(localStorage.getItem(STORAGE_KEY) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export function Views() {
  const [views, setViews] = useState(savedViews);
  const [name, setName] = useState("");
  const query = current().query.toString();
  const store = (/** @type {View[]} */ next) => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    setViews(next);
  };
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name.trim()) return;
    store([...views.filter((each) => each.name !== name.trim()), { name: name.trim(), query }]);
    setName("");
  };
  const shown = views.find((each) => each.query === query);
  return html`<${Menu} label="Saved views" icon="save" word=${shown ? shown.name : "Views"} end>
    <div class="views">
      ${views.length ? null : html`<p class="soft">A view is a filter with a name.</p>`}
      <ul>
        ${views.map(
          (view) => html`<li key=${view.name}>
            <button type="button" class="menu-item" data-close onClick=${() => navigate(`/executions?${view.query}`)}>${view.name}</button>
            <${Button} kind="ghost" icon="close" label=${`Forget ${view.name}`} onClick=${() => store(views.filter((each) => each !== view))} />
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
