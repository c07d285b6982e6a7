/** The known word that a mistyped one most likely stands for, or null when none is near. */
export function closest(word: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? null;
}

/** Edits of one letter that turn a into b, where swapping neighbours is one edit too. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const change = cell(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const shift = Math.min(cell(row - 1, column), cell(row, column - 1)) + 1;
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(Math.min(change, shift, isSwap ? cell(row - 2, column - 2) + 1 : Infinity));
    }
  }
  return cell(a.length, b.length);
}
