interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

/** What `make` gives for a key, made when it is first asked for. @param kept a `WeakMap` forgets it with the key. */
export const remember =
  <Key, Value>(make: (key: Key) => Value, kept: Kept<Key, Value> = new Map<Key, Value>()): ((key: Key) => Value) =>
  (key) => {
    const found = kept.get(key);
    if (found !== undefined || kept.has(key)) return found as Value;
    const made = make(key);
    kept.set(key, made);
    return made;
  };
