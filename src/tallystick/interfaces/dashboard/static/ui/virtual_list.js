/** A long list that renders only its visible rows. All rows have one height, so that positions can be computed. */

import { html, useCallback, useEffect, useLayoutEffect, useRef, useState } from "../html.js";

const AROUND = 12;
/** Rows drawn above and below the visible part, so that scrolling does not show the edge. */

/**
 * @template T
 * @param {object} props
 * @param {T[]} props.rows
 * @param {number} props.height of one row, in pixels
 * @param {(row: T, index: number) => any} props.row draws one; give it a key
 * @param {(row: T, index: number) => string} [props.looks] a key of everything that the row shows; while it is the
 *   same, the row is not drawn again
 * @param {string} props.label
 * @param {number} [props.selected] the selected row; it is scrolled into view
 * @param {boolean} [props.atEnd] stay at the end while rows are added
 * @param {(atEnd: boolean) => void} [props.onEnd] called with whether the end is visible, after scrolling
 * @param {() => void} [props.onNear] called near the end, to load more
 * @param {(first: number, last: number) => void} [props.onRange] called with the rows that are drawn, when they or it change
 * @param {any} [props.head] a fixed header above the rows
 * @param {string} [props.role] of what holds the rows
 * @param {string} [props.outer] of what scrolls
 */
export function VirtualList({ rows, height, row, looks, label, selected = -1, atEnd = false, onEnd, onNear, onRange, head, role = "list", outer = "region" }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [view, setView] = useState({ top: 0, room: 800 });
  const isOwnScroll = useRef(false);
  const drawn = useRef(/** @type {Map<T, {looks: string, row: any}>} */ (new Map()));

  const look = useCallback(() => {
    const shown = box.current;
    if (!shown) return;
    setView((before) => {
      const top = Math.floor(shown.scrollTop / height) * height;
      return before.top === top && before.room === shown.clientHeight ? before : { top, room: shown.clientHeight };
    });
  }, [height]);

  useLayoutEffect(() => {
    const watched = box.current;
    if (!watched) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(watched);
    look();
    return () => observer.disconnect();
  }, [look]);

  useLayoutEffect(() => {
    if (!atEnd || !box.current) return;
    isOwnScroll.current = true;
    box.current.scrollTop = box.current.scrollHeight;
  }, [atEnd, rows.length]);

  useLayoutEffect(() => {
    const shown = box.current;
    if (selected < 0 || !shown) return;
    const top = selected * height;
    if (top < shown.scrollTop) shown.scrollTop = top;
    else if (top + height * 2 > shown.scrollTop + shown.clientHeight) shown.scrollTop = top + height * 2 - shown.clientHeight;
  }, [selected, height]);

  const scrolled = () => {
    look();
    const shown = box.current;
    if (!shown) return; // the event comes a frame after the scrolling: the list may be gone
    const end = shown.scrollTop + shown.clientHeight >= shown.scrollHeight - height;
    if (!isOwnScroll.current) onEnd?.(end);
    isOwnScroll.current = false;
  };

  const first = Math.max(0, Math.floor(view.top / height) - AROUND);
  const last = Math.min(rows.length, Math.ceil((view.top + view.room) / height) + AROUND);
  useEffect(() => {
    if (onNear && last >= rows.length) onNear();
  }, [last, rows.length]);

  useEffect(() => onRange?.(first, last), [first, last, onRange]);

  const drawing = new Map();
  const draw = (/** @type {T} */ each, /** @type {number} */ index) => {
    const now = looks?.(each, index);
    const before = drawn.current.get(each);
    const made = before && before.looks === now ? before : { looks: now, row: row(each, index) };
    if (now !== undefined) drawing.set(each, made);
    return made.row;
  };
  const seen = rows.slice(first, last).map((each, index) => draw(each, first + index));
  drawn.current = drawing;

  return html`<div class="virtual" ref=${box} onScroll=${scrolled} tabindex="0" role=${outer} aria-label=${label} aria-rowcount=${outer === "table" ? rows.length + 1 : null}>
    ${head}
    <div class="virtual-all" role=${role} style=${{ height: `${rows.length * height}px` }}>
      <div class="virtual-seen" role="presentation" style=${{ transform: `translateY(${first * height}px)` }}>
        ${seen}
      </div>
    </div>
  </div>`;
}
