/** The script of the example: sets attributes and token of the elements, and shows their events. */

const elements = /** @type {NodeListOf<import("./element.js").TallystickElement>} */ (
  document.querySelectorAll("tallystick-plan, tallystick-timeline, tallystick-owed, tallystick-approvals, tallystick-log, tallystick-context")
);
const form = /** @type {HTMLFormElement} */ (document.getElementById("place"));
const message = /** @type {HTMLElement} */ (document.getElementById("heard"));

/** @param {URLSearchParams | FormData} values */
function show(values) {
  const execution = String(values.get("execution") ?? "");
  const theme = String(values.get("theme") ?? "");
  document.documentElement.dataset.theme = theme;
  for (const element of elements) {
    element.setAttribute("theme", theme);
    if (execution && element.localName !== "tallystick-approvals") element.setAttribute("execution", execution);
    else element.removeAttribute("execution");
    const token = String(values.get("token") ?? "");
    if (token) element.token = token;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(new FormData(form));
});
document.addEventListener("tallystick-decided", (event) => {
  const { id, ok, status, problem } = /** @type {CustomEvent} */ (event).detail;
  message.textContent = ok ? `The application received: ${id} is now ${status}.` : `The application received: ${id} was not decided. ${problem}`;
});
document.addEventListener("step-complete", (event) => {
  const { step, title, state } = /** @type {CustomEvent} */ (event).detail;
  message.textContent = `The application received: the step ${title || step} is ${state}.`;
});
document.addEventListener("tallystick-selected", (event) => {
  message.textContent = `The application received: ${/** @type {CustomEvent} */ (event).detail.id} was chosen.`;
});

const values = new URLSearchParams(location.search);
for (const name of ["execution", "theme"]) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = values.get(name) ?? "";
}
show(values);
