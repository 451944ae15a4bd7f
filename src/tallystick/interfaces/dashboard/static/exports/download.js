/** Handing a text to the person who asked for it: as a file, or on the clipboard. */

/**
 * @param {string} name of the file
 * @param {string | string[]} text whole, or in parts
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

/** A file's name, whatever a title held: no folders, nothing hidden, nothing endless. */
export function safeName(/** @type {string} */ name) {
  const plain = name.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-").replace(/^[.\s-]+/, "");
  return plain.slice(0, 120) || "tallystick";
}
