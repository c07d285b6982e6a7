/** What a measurement says of its targets, each `[name, got, limit]`, or `[name, got, limit, "least"]`: a line each, then all numbers. */
export function judgeTargets(targets, numbers) {
  const isMet = ([, got, limit, side = "most"]) => (side === "least" ? got >= limit : got <= limit);
  const lines = targets.map((target) => {
    const [name, got, limit, side] = target;
    const shown = Math.round(got * 1000) / 1000;
    return `${isMet(target) ? "ok  " : "MISS"} ${name}: ${shown} (${side === "least" ? "≥" : "≤"} ${limit})`;
  });
  lines.push(JSON.stringify(numbers));
  return { numbers, lines, isMet: targets.every(isMet) };
}
