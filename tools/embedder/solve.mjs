// Ridge regression on a sparse system, all dimensions side by side: conjugate gradients on the normal equations.

/** out = X · given. */
function times({ columns, weights, starts }, given, out, width) {
  out.fill(0);
  for (let row = 0; row + 1 < starts.length; row++)
    for (let entry = starts[row]; entry < starts[row + 1]; entry++) {
      const from = columns[entry] * width;
      const weight = weights[entry];
      const to = row * width;
      for (let at = 0; at < width; at++) out[to + at] += weight * given[from + at];
    }
}

/** out = Xᵀ · given. */
function timesTransposed({ columns, weights, starts }, given, out, width) {
  out.fill(0);
  for (let row = 0; row + 1 < starts.length; row++)
    for (let entry = starts[row]; entry < starts[row + 1]; entry++) {
      const to = columns[entry] * width;
      const weight = weights[entry];
      const from = row * width;
      for (let at = 0; at < width; at++) out[to + at] += weight * given[from + at];
    }
}

/** Sums of products by dimension. */
function products(left, right, width) {
  const sums = new Float64Array(width);
  for (let start = 0; start < left.length; start += width)
    for (let at = 0; at < width; at++) sums[at] += left[start + at] * right[start + at];
  return sums;
}

/** The vectors that explain the targets best while staying small. */
export function solve(system, { size, width, turns, ridge }) {
  const solution = new Float32Array(size * width);
  const applied = new Float32Array(size * width);
  const inner = new Float32Array(system.targets.length);
  const rest = new Float32Array(size * width);
  timesTransposed(system, system.targets, rest, width);
  const direction = Float32Array.from(rest);
  let old = products(rest, rest, width);
  for (let turn = 0; turn < turns; turn++) {
    times(system, direction, inner, width);
    timesTransposed(system, inner, applied, width);
    for (let at = 0; at < applied.length; at++) applied[at] += ridge * direction[at];
    const curve = products(direction, applied, width);
    const step = old.map((value, at) => value / (curve[at] + 1e-12));
    for (let at = 0; at < solution.length; at++) {
      solution[at] += step[at % width] * direction[at];
      rest[at] -= step[at % width] * applied[at];
    }
    const now = products(rest, rest, width);
    const keep = now.map((value, at) => value / (old[at] + 1e-12));
    for (let at = 0; at < direction.length; at++) direction[at] = rest[at] + keep[at % width] * direction[at];
    old = now;
  }
  return solution;
}

/** How long the rows of a table are on average. */
export function meanLength(rows, width) {
  let sum = 0;
  for (let start = 0; start < rows.length; start += width)
    sum += Math.hypot(...rows.subarray(start, start + width));
  return sum / (rows.length / width);
}
