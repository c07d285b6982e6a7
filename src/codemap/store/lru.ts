/** Keeps the values used last, up to a number of them. */
export interface Lru<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Makes a cache that forgets what was not used for longest. */
export function createLru<K, V>(limit: number): Lru<K, V> {
  const kept = new Map<K, V>();
  const set = (key: K, value: V) => {
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
  };
  return {
    set,
    get: (key) => {
      const value = kept.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
  };
}
