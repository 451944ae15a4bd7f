/** What the example does beside placing the elements: it hands them a place and a token, and hears what was decided. */

const elements = /** @type {NodeListOf<import("./element.js").TallystickElement>} */ (
  document.querySelectorAll("tallystick-timeline, tallystick-owed, tallystick-approvals")
);
const form = /** @type {HTMLFormElement} */ (document.getElementById("place"));
const heard = /** @type {HTMLElement} */ (document.getElementById("heard"));

/** @param {URLSearchParams | FormData} given */
function show(given) {
  const execution = String(given.get("execution") ?? "");
  const theme = String(given.get("theme") ?? "");
  document.documentElement.dataset.theme = theme;
  for (const element of elements) {
    element.setAttribute("theme", theme);
    if (execution && element.localName !== "tallystick-approvals") element.setAttribute("execution", execution);
    else element.removeAttribute("execution");
    const token = String(given.get("token") ?? "");
    if (token) element.token = token;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(new FormData(form));
});
document.addEventListener("tallystick-decided", (event) => {
  const { id, ok, status, told } = /** @type {CustomEvent} */ (event).detail;
  heard.textContent = ok ? `The application heard: ${id} is now ${status}.` : `The application heard: ${id} was not decided. ${told}`;
});
document.addEventListener("tallystick-selected", (event) => {
  heard.textContent = `The application heard: ${/** @type {CustomEvent} */ (event).detail.id} was chosen.`;
});

const given = new URLSearchParams(location.search);
for (const name of ["execution", "theme"]) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = given.get(name) ?? "";
}
show(given);
