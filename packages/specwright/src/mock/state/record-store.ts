/** The records of a mock, in memory: by the path of their collection and their id, in the order in which they were created. */
import type { Json } from '../../testing/contract/document.ts';

export interface StoredRecord {
  readonly id: string;
  readonly record: Json;
  readonly version: number;
}

export interface RecordStore {
  /** @param path of the collection, with its parameters: `/users/5/posts`. */
  readonly list: (path: string) => readonly StoredRecord[];
  readonly get: (path: string, id: string) => StoredRecord | undefined;
  readonly put: (path: string, id: string, record: Json) => StoredRecord;
  /** Whether there was one that was removed. */
  readonly wasRemoved: (path: string, id: string) => boolean;
  /** Removes a record, and what is below it. */
  readonly remove: (path: string, id: string) => boolean;
}

/** So that what is created in a loop does not fill the memory of a process that runs for days. */
const MAX_RECORDS = 10_000;

/** @param seed makes the records that a collection has at first; called once for each. */
export function createRecordStore(seed: (path: string) => ReadonlyMap<string, Json>): RecordStore {
  const collections = new Map<string, Map<string, StoredRecord>>();
  const removed = new Set<string>();
  let versions = 0;
  const stored = (id: string, record: Json): StoredRecord => ({ id, record, version: ++versions });

  function collectionAt(path: string): Map<string, StoredRecord> {
    let found = collections.get(path);
    if (found === undefined) {
      found = new Map([...seed(path)].map(([id, record]) => [id, stored(id, record)]));
      collections.set(path, found);
    }
    return found;
  }

  return {
    list: (path) => [...collectionAt(path).values()],
    get: (path, id) => collectionAt(path).get(id),
    put(path, id, record) {
      const collection = collectionAt(path);
      const one = stored(id, record);
      collection.set(id, one);
      const [oldest] = collection.size > MAX_RECORDS ? collection.keys() : [];
      if (oldest !== undefined) collection.delete(oldest);
      return one;
    },
    wasRemoved: (path, id) => removed.has(`${path}/${id}`),
    remove(path, id) {
      removed.add(`${path}/${id}`);
      for (const other of collections.keys()) if (other.startsWith(`${path}/${id}/`)) collections.delete(other);
      return collectionAt(path).delete(id);
    },
  };
}
