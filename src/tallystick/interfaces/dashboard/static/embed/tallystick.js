/** Registers the elements: `<script type="module" src="https://SERVER/static/embed/tallystick.js"></script>`. */

import { TallystickApprovals } from "./approvals.js";
import { TallystickOwed } from "./owed.js";
import { TallystickTimeline } from "./timeline.js";

for (const [name, element] of Object.entries({
  "tallystick-timeline": TallystickTimeline,
  "tallystick-owed": TallystickOwed,
  "tallystick-approvals": TallystickApprovals,
})) {
  if (!customElements.get(name)) customElements.define(name, element);
}

export { TallystickApprovals, TallystickOwed, TallystickTimeline };
