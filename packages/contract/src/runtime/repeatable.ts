/** Types of what may be run again, as a transaction after a deadlock: what can be read once only does not fit. */

/** Read once: streams of Node and of the web, iterators, and what has no other way to be read than an async iterator. */
type ReadOnce =
  | { readonly pipe: (...args: never[]) => unknown }
  | { readonly getReader: (...args: never[]) => unknown }
  | { readonly next: (...args: never[]) => unknown }
  | { readonly [Symbol.asyncIterator]: (...args: never[]) => unknown };

/** A file that was stored before: its bytes are read as often as they are needed. */
interface Stored {
  readonly createReadStream: (...args: never[]) => unknown;
}

/** Work that knows what of its input was begun to be read: it may be run again only until then. */
interface Single {
  readonly isBegun: () => boolean;
}

type Leaf = string | number | bigint | boolean | symbol | null | undefined | Date | Uint8Array;

/** `Value`, if it can be read as often as it is needed; `never` for what has a stream in it, and for what is not known. */
export type Repeatable<Value> = unknown extends Value
  ? never
  : Value extends Leaf | Stored
    ? Value
    : Value extends ReadOnce | Single
      ? never
      : Value extends (...args: never[]) => unknown
        ? Value
        : { [Key in keyof Value]: Repeatable<Value[Key]> };
