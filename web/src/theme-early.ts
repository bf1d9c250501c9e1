// Runs before the first paint, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem('parlor-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme is used.
}
