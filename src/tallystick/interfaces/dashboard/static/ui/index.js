/** The user interface components of all pages. */

export { Badge, Status, Witness, shownStatus, state } from "./badge.js";
export { Button, ButtonLink, Choice } from "./button.js";
export { Copy, HandleText, copyText } from "./copy.js";
export { Dialog } from "./dialog.js";
export { Diff, DiffTable } from "./diff.js";
export { Json, LongText, pretty } from "./json.js";
export { Kbd } from "./kbd.js";
export { Menu } from "./menu.js";
export { Empty, Facts, Loading, Panel, ProblemNote } from "./panel.js";
export { SearchBox, focusSearch } from "./search.js";
export { Table } from "./table.js";
export { Tabs } from "./tabs.js";
export { Tally, stepsShort, stepsText } from "./tally.js";
export { Text } from "./text.js";
export { visibleText } from "./visible.js";
export { Duration, Time, clock, exact, span, useNow, useZone } from "./time.js";
export { Toasts, say } from "./toast.js";
export { VirtualList } from "./virtual_list.js";
