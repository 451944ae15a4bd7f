/** Downloads a text as a file. */

/**
 * @param {string} name of the file
 * @param {string | string[]} text one text, or several parts
 * @param {string} type its media type
 */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob(Array.isArray(text) ? text : [text], { type }));
  const anchor = Object.assign(document.createElement("a"), { href: address, download: safeName(name) });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A safe file name: no folders, no leading dot, limited length. */
export function safeName(/** @type {string} */ name) {
  const plain = name.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-").replace(/^[.\s-]+/, "");
  return plain.slice(0, 120) || "tallystick";
}
