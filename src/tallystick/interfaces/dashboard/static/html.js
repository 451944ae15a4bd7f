/** Markup and hooks: the only module that imports Preact and htm. */

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

/** Tagged markup. A value becomes a text node or an attribute, never markup. */
export const html = htm.bind(h);

/**
 * Join the class names that are set.
 * @param {...(string | false | null | undefined)} names
 */
export const names = (...names) => names.filter(Boolean).join(" ");
