import { joinLines, quoteCell } from "../lib/cells.js";
import { formatCents } from "../lib/money.js";

/** What was sold on a day, one line per product, for the accountant's spreadsheet. */
export function dailySales({ order, product }, day) {
  const sold = new Map();
  for (const { lines } of order.soldOn(day)) {
    for (const line of lines) {
      const { pieces, cents } = sold.get(line.product) ?? { pieces: 0, cents: 0 };
      sold.set(line.product, { pieces: pieces + line.pieces, cents: cents + line.pieces * line.cents });
    }
  }
  const rows = [...sold]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { pieces, cents }]) => [id, product.get(id).name, pieces, formatCents(cents)]);
  const header = ["product", "name", "pieces", "turnover"];
  return joinLines([header, ...rows].map((cells) => cells.map(quoteCell).join(",")));
}
