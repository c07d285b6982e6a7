import type { Graph, GraphNode } from "./types.js";

const BOX = { height: 28, gapX: 24, gapY: 56, padding: 10, letter: 7.2, margin: 16, perRow: 6 } as const;
const MAX_LABEL = 60;

/** A graph as Mermaid text, which GitHub draws. What was asked for is emphasised; tests are dashed. */
export function mermaidOf({ nodes, edges, truncated }: Graph): string {
  const ids = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const lines = [
    "flowchart TD",
    ...nodes.map(
      (node) => `  ${ids.get(node.id) ?? ""}["${mermaidText(shorten(node.label))}"]${styleOf(node)}`,
    ),
    ...edges.map(({ from, to }) => `  ${ids.get(from) ?? ""} --> ${ids.get(to) ?? ""}`),
    ...(truncated > 0 ? [`  more["… ${truncated} more"]`] : []),
    "  classDef asked stroke-width:3px",
    "  classDef test stroke-dasharray:4",
  ];
  return lines.join("\n");
}

function styleOf({ layer, isTest }: GraphNode): string {
  if (layer === 0) return ":::asked";
  return isTest ? ":::test" : "";
}

/** Within quotes, Mermaid reads entities by number after `#`, and takes Markdown and HTML for what they are. */
function mermaidText(text: string): string {
  return text.replace(/[^\p{L}\p{N} ./:·…-]/gu, (char) => `#${char.codePointAt(0) ?? 32};`);
}

/** A box with its place on the drawing. */
interface Box {
  node: GraphNode;
  x: number;
  y: number;
  width: number;
}

/** A graph as an SVG drawing in layers: users above, what was asked for in the middle, what it uses below. */
export function svgOf(graph: Graph): string {
  const boxes = placed(graph.nodes);
  const all = [...boxes.values()];
  const width = Math.max(...all.map((box) => box.x + box.width)) + BOX.margin;
  const height =
    Math.max(...all.map((box) => box.y + BOX.height)) + BOX.margin + (graph.truncated > 0 ? 20 : 0);
  const more =
    graph.truncated > 0
      ? [`<text x="${BOX.margin}" y="${height - 12}">… ${graph.truncated} more</text>`]
      : [];
  const lines = graph.edges.flatMap(({ from, to }) => {
    const [a, b] = [boxes.get(from), boxes.get(to)];
    return a && b ? [lineBetween(a, b)] : [];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12">`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...lines,
    ...all.map(drawn),
    ...more,
    "</svg>",
    "",
  ].join("\n");
}

function placed(nodes: readonly GraphNode[]): Map<string, Box> {
  const boxes = new Map<string, Box>();
  const rows = [...new Set(nodes.map(({ layer }) => layer))]
    .sort((a, b) => a - b)
    .flatMap((layer) => {
      const inLayer = nodes.filter((node) => node.layer === layer);
      return Array.from({ length: Math.ceil(inLayer.length / BOX.perRow) }, (_, row) =>
        inLayer.slice(row * BOX.perRow, (row + 1) * BOX.perRow),
      );
    });
  const widths = rows.map((row) => row.reduce((sum, node) => sum + widthOf(node) + BOX.gapX, -BOX.gapX));
  const widest = Math.max(...widths);
  rows.forEach((row, at) => {
    let x = BOX.margin + (widest - (widths[at] ?? 0)) / 2;
    for (const node of row) {
      const width = widthOf(node);
      boxes.set(node.id, { node, x: Math.round(x), y: BOX.margin + at * (BOX.height + BOX.gapY), width });
      x += width + BOX.gapX;
    }
  });
  return boxes;
}

function widthOf({ label }: GraphNode): number {
  const wide = Array.from(shorten(label)).reduce((sum, char) => sum + (char > "\u1100" ? 2 : 1), 0);
  return Math.ceil(wide * BOX.letter) + 2 * BOX.padding;
}

function drawn({ node, x, y, width }: Box): string {
  const stroke = node.layer === 0 ? 'stroke="#0969da" stroke-width="2"' : 'stroke="#57606a"';
  const dash = node.isTest ? ' stroke-dasharray="4"' : "";
  const label = escaped(shorten(node.label));
  return `<g><title>${escaped(node.id)}</title><rect x="${x}" y="${y}" width="${width}" height="${BOX.height}" rx="4" fill="#f6f8fa" ${stroke}${dash}/><text x="${x + BOX.padding}" y="${y + 18}">${label}</text></g>`;
}

function lineBetween(a: Box, b: Box): string {
  const isDown = a.y <= b.y;
  const [x1, x2] = [a, b].map((box) => Math.round(box.x + box.width / 2));
  const y1 = isDown ? a.y + BOX.height : a.y;
  const y2 = a.y === b.y ? b.y + BOX.height : isDown ? b.y : b.y + BOX.height;
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#57606a" marker-end="url(#arrow)"/>`;
}

/** The end of a path tells more than its beginning. */
function shorten(label: string): string {
  const chars = Array.from(label);
  return chars.length <= MAX_LABEL ? label : `…${chars.slice(1 - MAX_LABEL).join("")}`;
}

/** XML allows no control characters at all, not even escaped ones. */
function escaped(text: string): string {
  return text
    .replace(/\p{Cc}|\p{Cs}/gu, "\u{fffd}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
