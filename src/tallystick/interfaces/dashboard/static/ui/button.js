/** Buttons: a word, an icon, or both. */

import { html, names } from "../html.js";
import { Icon } from "../icons.js";

/** Neither presses nor submits. @param {Event} event */
const refuse = (event) => event.preventDefault();

/**
 * A button. With `icon` and no children it needs a `label`; `pressed` makes it a toggle. A `disabled` one keeps the keyboard focus.
 * @param {{kind?: "plain" | "primary" | "danger" | "ghost", icon?: string, label?: string, pressed?: boolean, disabled?: boolean,
 *   type?: string, class?: string, children?: any, [more: string]: any}} props
 */
export function Button({ kind = "plain", icon, label, pressed, disabled = false, type = "button", class: more, children, onClick, ...rest }) {
  const bare = !children || (Array.isArray(children) && !children.length);
  return html`
    <button
      ...${rest}
      type=${type}
      aria-disabled=${disabled ? "true" : null}
      onClick=${disabled ? refuse : onClick}
      class=${names("button", `button-${kind}`, bare && "button-icon", more)}
      aria-label=${bare ? label : rest["aria-label"]}
      aria-pressed=${pressed === undefined ? null : String(pressed)}
      title=${bare ? label : rest.title}
    >
      ${icon && html`<${Icon} name=${icon} />`}${children}
    </button>
  `;
}

/**
 * A link that looks like a button.
 * @param {{href: string, icon?: string, kind?: string, class?: string, children?: any, [more: string]: any}} props
 */
export function ButtonLink({ href, icon, kind = "plain", class: more, children, ...rest }) {
  return html`<a ...${rest} href=${href} class=${names("button", `button-${kind}`, more)}>
    ${icon && html`<${Icon} name=${icon} />`}${children}
  </a>`;
}

/**
 * One of a few: a row of buttons of which one is pressed.
 * @param {{label: string, value: string, choices: (string | [string, any])[], onChange: (value: string) => void}} props
 */
export function Choice({ label, value, choices, onChange }) {
  return html`<div class="choice" role="group" aria-label=${label}>
    ${choices.map((choice) => {
      const [key, word] = Array.isArray(choice) ? choice : [choice, choice];
      return html`<button type="button" aria-pressed=${String(key === value)} onClick=${() => onChange(key)}>
        ${word}
      </button>`;
    })}
  </div>`;
}
