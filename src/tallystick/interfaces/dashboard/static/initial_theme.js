/* A classic script, because it must run before the first paint: a dark theme must not flash white. */
for (const [name, fallback] of [["theme", "system"], ["density", "compact"]]) {
  document.documentElement.dataset[name] = localStorage.getItem(`tallystick.${name}`) || fallback;
}
