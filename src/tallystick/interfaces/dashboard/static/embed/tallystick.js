/** Registers the elements: `<script type="module" src="https://SERVER/static/embed/tallystick.js"></script>`. */

import { TallystickApprovals } from "./approvals.js";
import { TallystickContext } from "./context.js";
import { TallystickLog } from "./log.js";
import { TallystickOwed } from "./owed.js";
import { TallystickPlan } from "./plan.js";
import { TallystickTimeline } from "./timeline.js";

for (const [name, element] of Object.entries({
  "tallystick-plan": TallystickPlan,
  "tallystick-timeline": TallystickTimeline,
  "tallystick-log": TallystickLog,
  "tallystick-context": TallystickContext,
  "tallystick-owed": TallystickOwed,
  "tallystick-approvals": TallystickApprovals,
})) {
  if (!customElements.get(name)) customElements.define(name, element);
}

export { TallystickApprovals, TallystickContext, TallystickLog, TallystickOwed, TallystickPlan, TallystickTimeline };
