/** Cents as people read them: 1234 → "12.34". */
export function formatCents(cents) {
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What people write as cents: "12.34", "12,3" or "12"; null when it is no amount. */
export function parseCents(text) {
  const match = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole, fraction = ""] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

export function sumCents(amounts) {
  return amounts.reduce((sum, cents) => sum + cents, 0);
}
