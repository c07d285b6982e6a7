/** Content types by file ending; exports and reports are served with the one of their format. */
export const contentTypes = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/** Headers of a file that a browser should save instead of showing it. */
export function downloadHeaders(fileName, format) {
  return {
    "content-type": contentTypes[format],
    "content-disposition": `attachment; filename="${fileName}"`,
    // Exports hold personal data: no proxy or browser keeps a copy.
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}
