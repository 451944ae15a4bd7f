/** Colours and patterns of the current theme for a canvas. */

/**
 * @typedef {{of: (tone: string) => string, line: string, faint: string, surface: string, sans: string}} Palette
 */

/**
 * A canvas cannot resolve CSS variables or light-dark(), so a hidden element resolves them.
 * @param {HTMLElement} element
 * @returns {Palette}
 */
export function palette(element) {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const colour = (/** @type {string} */ name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  /** @type {Record<string, string>} */
  const tones = {};
  for (const tone of ["ok", "failed", "doubt", "waiting", "running", "undo", "idle"]) tones[tone] = colour(`--${tone}-fill`);
  tones.accent = colour("--accent");
  const found = { line: colour("--line"), faint: colour("--ink-faint"), surface: colour("--surface"), sans: getComputedStyle(element).fontFamily };
  probe.remove();
  return { ...found, of: (tone) => tones[tone] ?? tones.idle };
}

/**
 * The fill of bars: plain, hatched, striped, dotted or a grid, so that colour is not needed.
 * @param {import("./figures.js").Series} series
 * @param {Palette} colours
 */
export function fillOf(series, colours) {
  const colour = colours.of(series.tone);
  if (!series.pattern) return colour;
  const size = 8;
  const tile = Object.assign(document.createElement("canvas"), { width: size, height: size });
  const context = tile.getContext("2d");
  if (!context) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = context.fillStyle = colours.surface;
  context.lineWidth = 2;
  if (series.pattern === "hatch") {
    for (const start of [-size, 0, size]) {
      context.beginPath();
      context.moveTo(start, size);
      context.lineTo(start + size, 0);
      context.stroke();
    }
  } else if (series.pattern === "stripes") {
    context.fillRect(0, 0, size, 2);
    context.fillRect(0, 4, size, 2);
  } else if (series.pattern === "columns") {
    context.fillRect(0, 0, 2, size);
    context.fillRect(4, 0, 2, size);
  } else if (series.pattern === "grid") {
    context.fillRect(0, 0, size, 1);
    context.fillRect(0, 0, 1, size);
  } else {
    context.beginPath();
    context.arc(size / 2, size / 2, 1.5, 0, 7);
    context.fill();
  }
  return (/** @type {any} */ plot) => plot.ctx.createPattern(tile, "repeat");
}
