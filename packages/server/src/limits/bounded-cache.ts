/** A map of limited size that keeps what was used last, without work per use. */

export interface BoundedCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  forEach(visit: (value: T, key: string) => void): void;
}

/**
 * Two generations: new entries go into the young one; when that is full it becomes the old one, whose entries are dropped
 * with the next change of generations unless they were used. So the least recently used entries go, and a use of a young
 * entry, which is nearly every one, is a single look-up (the algorithm of `hashlru`).
 *
 * @param maxSize how many entries are kept at most. The half of them that was used last always is.
 */
export function createBoundedCache<T>(maxSize: number): BoundedCache<T> {
  const generationSize = Math.max(1, Math.floor(maxSize / 2));
  let young = new Map<string, T>();
  let old = new Map<string, T>();

  function add(key: string, value: T): void {
    if (young.size >= generationSize) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined || old.size === 0) return value;
      const older = old.get(key);
      if (older !== undefined) {
        old.delete(key);
        add(key, older);
      }
      return older;
    },
    set(key, value) {
      if (young.has(key)) return void young.set(key, value);
      old.delete(key);
      add(key, value);
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    forEach(visit) {
      young.forEach(visit);
      old.forEach(visit);
    },
  };
}
