/** One cell of a comma-separated line: quoted where needed, and never read as a formula by a spreadsheet. */
export function quoteCell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines joined the way spreadsheets expect them. */
export function joinLines(lines) {
  return lines.map((line) => `${line}\r\n`).join("");
}
