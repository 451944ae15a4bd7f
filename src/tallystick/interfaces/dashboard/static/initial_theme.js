/* A classic script, on purpose: it runs before the first paint, so that no one who chose dark sees a flash of light. */
for (const [name, fallback] of [["theme", "system"], ["density", "compact"]]) {
  document.documentElement.dataset[name] = localStorage.getItem(`tallystick.${name}`) || fallback;
}
