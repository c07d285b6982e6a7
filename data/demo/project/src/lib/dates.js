const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day of a moment: `2026-03-01`. */
export function dayOf(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Whether a text names a day that exists; 2026-02-30 does not. */
export function isDay(text) {
  if (typeof text !== "string" || !DAY.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(time) === text;
}
