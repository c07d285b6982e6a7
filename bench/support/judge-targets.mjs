/** What a measurement says of its targets, each `[name, got, most]`: a line for each, then all numbers. */
export function judgeTargets(targets, numbers) {
  const lines = targets.map(([name, got, limit]) => {
    const shown = Math.round(got * 100) / 100;
    return `${got <= limit ? "ok  " : "MISS"} ${name}: ${shown} (≤ ${limit})`;
  });
  lines.push(JSON.stringify(numbers));
  return { numbers, lines, isMet: targets.every(([, got, limit]) => got <= limit) };
}
