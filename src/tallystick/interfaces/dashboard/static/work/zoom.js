/** The visible part of the timeline: zoom and pan by mouse, touch and keyboard. */

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../html.js";

/** @typedef {{from: number, to: number}} View in folded time */

const CLOSEST = 5;
/** Milliseconds: the closest zoom. */
const AROUND = 0.01;

/**
 * @param {number} length of the folded time
 */
export function useView(length) {
  const [view, set] = useState(/** @type {View | null} */ (null));
  const whole = { from: -AROUND * length, to: (1 + AROUND) * length };
  const shown = view || whole;
  const change = useCallback(
    (/** @type {View} */ next) => {
      const size = Math.max(CLOSEST, next.to - next.from);
      if (size >= whole.to - whole.from) return set(null);
      const from = Math.min(Math.max(next.from, whole.from), whole.to - size);
      return set({ from, to: from + size });
    },
    [length],
  );
  const zoom = (/** @type {number} */ factor, at = 0.5) => {
    const size = (shown.to - shown.from) * factor;
    const centre = shown.from + at * (shown.to - shown.from);
    change({ from: centre - at * size, to: centre + (1 - at) * size });
  };
  const pan = (/** @type {number} */ share) => {
    const by = share * (shown.to - shown.from);
    change({ from: shown.from + by, to: shown.to + by });
  };
  return { view: shown, zoomed: view !== null, zoom, pan, show: change, fit: () => set(null) };
}

/** The current width of an element. */
export function useWidth() {
  const box = useRef(/** @type {any} */ (null));
  const [width, set] = useState(0);
  useLayoutEffect(() => {
    const watched = box.current;
    const look = () => set(Math.floor(watched.getBoundingClientRect().width));
    const observer = new ResizeObserver(look);
    observer.observe(watched);
    look();
    return () => observer.disconnect();
  }, []);
  return /** @type {[any, number]} */ ([box, width]);
}

/**
 * Ctrl and wheel zoom at the pointer; a sideways wheel and dragging pan; two fingers zoom.
 * @param {any} box
 * @param {ReturnType<typeof useView>} how
 */
export function useGestures(box, how) {
  const newest = useRef(how);
  newest.current = how;
  useEffect(() => {
    const target = /** @type {Element} */ (box.current);
    /** @type {Map<number, number>} */
    const fingers = new Map();
    const share = (/** @type {number} */ x) => {
      const { left, width } = target.getBoundingClientRect();
      return (x - left) / width;
    };
    const wheel = (/** @type {WheelEvent} */ event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (event.ctrlKey || event.metaKey) newest.current.zoom(Math.exp(event.deltaY / 300), share(event.clientX));
      else if (sideways) newest.current.pan(sideways / 800);
      else return;
      event.preventDefault();
    };
    const down = (/** @type {PointerEvent} */ event) => {
      if (event.button === 0) fingers.set(event.pointerId, event.clientX);
    };
    const move = (/** @type {PointerEvent} */ event) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
      if (others.length) {
        const ratio = Math.abs(before - others[0]) / Math.max(8, Math.abs(event.clientX - others[0]));
        newest.current.zoom(Math.min(2, Math.max(0.5, ratio)), share((event.clientX + others[0]) / 2));
      } else if (Math.abs(event.clientX - before) > 2) {
        target.setPointerCapture(event.pointerId);
        newest.current.pan((before - event.clientX) / target.getBoundingClientRect().width);
      } else return;
      fingers.set(event.pointerId, event.clientX);
    };
    const up = (/** @type {PointerEvent} */ event) => void fingers.delete(event.pointerId);
    target.addEventListener("wheel", /** @type {any} */ (wheel), { passive: false });
    target.addEventListener("pointerdown", /** @type {any} */ (down));
    target.addEventListener("pointermove", /** @type {any} */ (move));
    for (const name of ["pointerup", "pointercancel"]) target.addEventListener(name, /** @type {any} */ (up));
    return () => {
      target.removeEventListener("wheel", /** @type {any} */ (wheel));
      target.removeEventListener("pointerdown", /** @type {any} */ (down));
      target.removeEventListener("pointermove", /** @type {any} */ (move));
      for (const name of ["pointerup", "pointercancel"]) target.removeEventListener(name, /** @type {any} */ (up));
    };
  }, []);
}
