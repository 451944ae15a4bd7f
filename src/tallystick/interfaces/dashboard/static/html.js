/** Markup and hooks in one place: every module of the page takes them from here. */

import { Fragment, createContext, h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export {
  useCallback,
  useContext,
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "./vendor/preact-hooks.js";
export { Fragment, createContext, h, render };

/** Tagged markup. Whatever is put in becomes a text node or an attribute, never markup. */
export const html = htm.bind(h);

/**
 * Class names from what holds.
 * @param {...(string | false | null | undefined)} names
 */
export const names = (...names) => names.filter(Boolean).join(" ");
