/** What the page uses of Preact, as its own types are for TypeScript's JSX. */
export type VNode = { type: unknown; props: Record<string, any>; key: unknown };
export type Context<T> = { Provider: (props: any) => any; Consumer: (props: any) => any; readonly value?: T };
export function h(type: any, props: any, ...children: any[]): VNode;
export function render(vnode: any, parent: Element | ShadowRoot | DocumentFragment): void;
export function createContext<T>(value: T): Context<T>;
export const Fragment: any;
