/** The style sheets of the page for use in a shadow root. */

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map();

/**
 * @param {string[]} names of files in styles/
 * @returns {Promise<CSSStyleSheet[]>}
 */
export function stylesOf(names) {
  return Promise.all(names.map((name) => {
    if (!sheets.has(name)) sheets.set(name, load(name));
    return /** @type {Promise<CSSStyleSheet>} */ (sheets.get(name));
  }));
}

/** @param {string} name */
async function load(name) {
  const answer = await fetch(new URL(`../styles/${name}.css`, import.meta.url), { credentials: "omit" });
  const sheet = new CSSStyleSheet();
  await sheet.replace(hosted(answer.ok ? await answer.text() : ""));
  return sheet;
}

/**
 * Selectors of the document become selectors of the host: tokens are then properties of the element, which the embedding page can
 * set each of them from outside.
 * @param {string} css
 */
export function hosted(css) {
  return css
    .replaceAll(/:root(\[[^\]]+\])/g, ":host($1)")
    .replaceAll(":root", ":host")
    .replaceAll(/(^|[},]\s*)(?:html|body)(?=[\s,{])/gm, "$1:host");
}
