/** The hooks that the page uses. */
import type { Context } from "./preact.js";

type Next<S> = S | ((before: S) => S);
export function useState<S>(first: S | (() => S)): [S, (next: Next<S>) => void];
export function useReducer<S, A>(step: (state: S, action: A) => S, first: S): [S, (action: A) => void];
export function useEffect(effect: () => void | undefined | (() => unknown), by?: unknown[]): void;
export function useLayoutEffect(effect: () => void | undefined | (() => unknown), by?: unknown[]): void;
export function useRef<T>(first: T): { current: T };
export function useMemo<T>(make: () => T, by: unknown[]): T;
export function useCallback<T>(callback: T, by: unknown[]): T;
export function useContext<T>(context: Context<T>): T;
export function useErrorBoundary(onError?: (error: unknown) => void): [any, () => void];
export function useId(): string;
