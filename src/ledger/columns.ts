import { formatUsd, NANO_PER_CENT } from "./format.js";

// Who adds a printed column up must get the printed sum, so the column is rounded as a whole, not cell by cell.

/** A column of token counts in thousands, with its sum as the last cell. */
export function tokenColumn(values: readonly number[], unit: 100 | 1000): string[] {
  const print = (units: number) => `${((units * unit) / 1000).toFixed(unit === 100 ? 1 : 0)} k`;
  const units = roundToSum(values, unit);
  return [...units, sumOf(units)].map(print);
}

/** A column of money in cents, with its sum as the last cell. */
export function moneyColumn(nanoUsd: readonly number[]): string[] {
  const total = sumOf(nanoUsd);
  if (total < NANO_PER_CENT) return [...nanoUsd, total].map(formatUsd);
  const cents = roundToSum(nanoUsd, NANO_PER_CENT);
  const cells = cents.map((cent, index) =>
    formatUsd(cent > 0 ? cent * NANO_PER_CENT : (nanoUsd[index] ?? 0)),
  );
  return [...cells, formatUsd(total)];
}

/** Whole units that add up to the rounded total: the cells with the largest rests are rounded up. */
function roundToSum(values: readonly number[], unit: number): number[] {
  const floors = values.map((value) => Math.floor(value / unit));
  const missing = Math.round(sumOf(values) / unit) - sumOf(floors);
  const largestRests = values
    .map((value, index) => ({ index, rest: value % unit }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
    .slice(0, missing);
  const raised = new Set(largestRests.map(({ index }) => index));
  return floors.map((floor, index) => floor + (raised.has(index) ? 1 : 0));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
