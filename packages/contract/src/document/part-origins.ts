/** Where the parts of a bundled document are written. */
import type { Keys, Location } from './document-parts.ts';

/** In place of a key: any key of the part. No name has control characters. */
const ANY = '\u0000';

export class PartOrigins {
  readonly #root: string;
  readonly #places = new Map<string, Location>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Says where a part is written, and all that is in it. */
  set(path: Keys, { file, keys }: Location): void {
    this.#places.set(JSON.stringify(path.map(String)), { file, keys });
  }

  /** As `set`, for a part that is itself located where something refers to it. */
  setContent(path: Keys, location: Location): void {
    this.set([...path, ANY], location);
  }

  /** The file and the keys in it of a part of the bundled document. */
  of(path: Keys): Location {
    for (let length = this.#places.size === 0 ? 0 : path.length; length > 0; length--) {
      const parent = path.slice(0, length).map(String);
      const content = length < path.length ? this.#places.get(JSON.stringify([...parent, ANY])) : undefined;
      const place = content ?? this.#places.get(JSON.stringify(parent));
      if (place !== undefined) return { file: place.file, keys: [...place.keys, ...path.slice(length)] };
    }
    return { file: this.#root, keys: path };
  }
}
