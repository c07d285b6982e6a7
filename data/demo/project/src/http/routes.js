import { exporters } from "../export/registry.js";
import { contentTypes } from "./content-types.js";

/** Answers `GET /<module>/export.<format>` from the registry. */
export function route(method, path, stores) {
  const match = /^\/(\w+)\/export\.(\w+)$/.exec(path);
  if (method !== "GET" || !match) return { status: 404, type: contentTypes.html, body: "not found" };
  const [, module, format] = match;
  const exporter = exporters[module]?.[format];
  if (!exporter) return { status: 404, type: contentTypes.html, body: `no ${format} export of ${module}` };
  return { status: 200, type: contentTypes[format], body: exporter(stores[module].list()) };
}
