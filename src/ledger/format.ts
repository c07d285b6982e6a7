/** A cent in nano-dollars. */
export const NANO_PER_CENT = 10_000_000;

/** A US dollar in nano-dollars. */
export const NANO_PER_USD = 1_000_000_000;

/** Money as people read it: `$0.42`, `$1,204.00`, and `<$0.01` for what is too small to show but not free. */
export function formatUsd(nanoUsd: number): string {
  if (nanoUsd > 0 && nanoUsd < NANO_PER_CENT) return "<$0.01";
  const dollars = Math.round(nanoUsd / NANO_PER_CENT) / 100;
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** A number of tokens as people read it: `320`, `1.2 k`, `190 k`, `1.4 M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 9950) return `${(tokens / 1000).toFixed(1)} k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)} k`;
  return `${(tokens / 1_000_000).toFixed(1)} M`;
}
