import { html, type Html } from "./html.js";

const WIDTH = 440;
const HEIGHT = 260;
const LEFT = 52;
const BOTTOM = 36;
const TOP = 46;
const MAX_BARS = 60;
const MAX_LABEL = 14;

interface Chart {
  title: string;
  labels: string[];
  bars: number[];
}

/** Draws a Mermaid `xychart-beta` of bars; null when the text is any other diagram. */
export function barChart(source: string): Html | null {
  const chart = readChart(source);
  if (!chart) return null;
  const top = Math.max(...chart.bars, 0) || 1;
  const step = (WIDTH - LEFT) / chart.bars.length;
  const plot = HEIGHT - TOP - BOTTOM;
  const y = (value: number) => HEIGHT - BOTTOM - (Math.max(0, value) / top) * plot;
  const bars = chart.bars.map((value, index) => {
    const x = LEFT + index * step + step * 0.15;
    const middle = (LEFT + (index + 0.5) * step).toFixed(1);
    const label = (chart.labels[index] ?? String(index + 1)).slice(0, MAX_LABEL);
    return html`<rect
        x="${x.toFixed(1)}"
        y="${y(value).toFixed(1)}"
        width="${(step * 0.7).toFixed(1)}"
        height="${(HEIGHT - BOTTOM - y(value)).toFixed(1)}"
        rx="2"
        ><title>${label}: ${value}</title></rect
      ><text class="value" x="${middle}" y="${(y(value) - 5).toFixed(1)}">${value}</text
      ><text x="${middle}" y="${HEIGHT - BOTTOM + 18}">${label}</text>`;
  });
  const lines = [0, 0.5, 1].map((share) => {
    const at = (HEIGHT - BOTTOM - share * plot).toFixed(1);
    return html`<line x1="${LEFT}" x2="${WIDTH}" y1="${at}" y2="${at}" /><text
        class="axis"
        x="${LEFT - 8}"
        y="${at}"
        >${Number((top * share).toPrecision(3))}</text
      >`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${chart.title}">
    <text class="title" x="${WIDTH / 2}" y="18">${chart.title}</text>
    ${lines}${bars}
  </svg>`;
}

function readChart(source: string): Chart | null {
  const lines = source.split("\n").map((line) => line.trim());
  if (lines[0] !== "xychart-beta") return null;
  const rest = (key: string) =>
    lines
      .find((line) => line.startsWith(`${key} `))
      ?.slice(key.length + 1)
      .trim() ?? "";
  const list = (text: string) =>
    /\[(.*)\]/
      .exec(text)?.[1]
      ?.split(",")
      .map((item) => item.trim()) ?? [];
  const bars = list(rest("bar")).map(Number);
  if (bars.length === 0 || bars.length > MAX_BARS || bars.some((value) => !Number.isFinite(value)))
    return null;
  const labels = list(rest("x-axis")).map((label) => label.replace(/^"(.*)"$/, "$1"));
  return { title: rest("title").replace(/^"(.*)"$/, "$1"), labels, bars };
}
