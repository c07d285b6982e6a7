/** Brings a vector to length 1 in place; one of zeros stays. */
export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
  return vector;
}

/** The closeness of two vectors, from 0 on; 0 where one of them is not known. */
export function closenessOf(a: Float32Array | null, b: Float32Array | null): number {
  return a === null || b === null ? 0 : Math.max(0, closeness(a, b));
}

/** How close two vectors of length 1 are: their cosine. */
export function closeness(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
