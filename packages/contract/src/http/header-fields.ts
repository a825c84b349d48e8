/** The header fields of a response, as one value: the same in any case, sent in the spelling of the first who wrote them. */
import { dateText } from '../json/date-time.ts';

/** Fields of a handler or of an error: a list is sent as a field for each. */
export type FieldValues = Readonly<Record<string, string | number | bigint | Date | readonly (string | Date)[] | undefined>>;

/**
 * Lists that both the pipeline and a response write: links (RFC 8288, section 3), what a response depends on (RFC 9110, section
 * 12.5.5), and cookies, which cannot be one field (RFC 6265, section 3). Any other field takes the place of the one before it.
 */
export const isList = (name: string): boolean => (name.length === 4 || name.length === 10) && LISTS.has(name.toLowerCase());

const LISTS: ReadonlySet<string> = new Set(['link', 'vary', 'set-cookie']);

/** What describes the content that a response would have had: never that of an error (RFC 9110, section 8, and Content-Disposition of RFC 6266). */
const OF_CONTENT: ReadonlySet<string> = new Set([
  ...['content-type', 'content-encoding', 'content-language', 'content-location', 'content-length', 'content-range', 'content-disposition'],
  ...['content-digest', 'content-md5', 'repr-digest', 'digest', 'etag', 'last-modified', 'expires', 'accept-ranges'],
]);

export class HeaderFields {
  /** Names and values in turn, as `writeHead` takes them without copying. */
  readonly list: readonly string[];
  readonly #list: string[];
  /** The lengths of the names, modulo 32, as bits: most names that are looked for are of another length than all that there are. */
  #lengths: number;
  /** The places of the fields whose text the framework has built to its form (`FORMS`), as bits. What is written otherwise has none. */
  #built = 0;

  /** @param list names and values in turn, each name once: the new value keeps it. */
  constructor(list: string[] = [], lengths = lengthsOf(list)) {
    this.list = this.#list = list;
    this.#lengths = lengths;
  }

  static of(fields: FieldValues): HeaderFields {
    return new HeaderFields().merge(fields);
  }

  get size(): number {
    return this.#list.length / 2;
  }

  /** The value of a field; the first one of cookies. */
  get(name: string): string | undefined {
    const index = this.indexOf(name);
    return index === -1 ? undefined : this.#list[index + 1];
  }

  has(name: string): boolean {
    return this.indexOf(name) !== -1;
  }

  set(name: string, value: string): this {
    const bit = 1 << name.length;
    const index = (this.#lengths & bit) === 0 ? -1 : this.indexOf(name);
    if (index !== -1) this.replace(index, value);
    else {
      this.#list.push(name, value);
      this.#lengths |= bit;
    }
    return this;
  }

  /**
   * Sets several fields, in one call.
   *
   * @param fields names and values in turn, each name once. @param areBuilt whether each that `FORMS` has is of its form.
   */
  setAll(fields: readonly string[], areBuilt = false): this {
    const former = this.#lengths;
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i] as string;
      const value = fields[i + 1] as string;
      const bit = 1 << name.length;
      if ((former & bit) !== 0) this.set(name, value);
      else {
        const place = this.#list.length / 2;
        if (areBuilt && place < PLACES) this.#built |= 1 << place;
        this.#list.push(name, value);
        this.#lengths |= bit;
      }
    }
    return this;
  }

  /** Adds to a field that is a list (RFC 9110, section 5.3). `Vary` has each name once. */
  append(name: string, value: string): this {
    const index = isSameName(name, 'Set-Cookie') ? -1 : this.indexOf(name);
    if (index === -1) this.push(name, value);
    else {
      const former = this.#list[index + 1] as string;
      const more = isSameName(name, 'Vary') ? withoutNames(value, former) : value;
      if (more !== '') this.replace(index, `${former}, ${more}`);
    }
    return this;
  }

  delete(name: string): this {
    for (let i = this.indexOf(name); i !== -1; i = this.indexOf(name)) this.remove(i);
    return this;
  }

  /** Adds fields by the one rule: to a list that both may write they are added, and any other they replace. */
  merge(fields: HeaderFields | FieldValues): this {
    if (fields instanceof HeaderFields) {
      const list = fields.#list;
      for (let i = 0; i < list.length; i += 2) this.write(list[i] as string, list[i + 1] as string);
      return this;
    }
    for (const name in fields) {
      const value = fields[name];
      if (value === undefined) continue;
      if (Array.isArray(value)) this.writeEach(name, value as readonly (string | Date)[]);
      else this.write(name, typeof value === 'string' ? value : textOf(value));
    }
    return this;
  }

  copy(): HeaderFields {
    const copy = new HeaderFields(this.#list.slice(), this.#lengths);
    copy.#built = this.#built;
    return copy;
  }

  /** A copy whose first field has another value, which is of its form: of what many responses have, prepared once. */
  withFirst(value: string): HeaderFields {
    const list = this.#list.slice();
    list[1] = value;
    const copy = new HeaderFields(list, this.#lengths);
    copy.#built = this.#built | 1;
    return copy;
  }

  /** Whether the framework has built the text of a field to its form. @param index of its name in `list`. */
  isBuilt(index: number): boolean {
    const place = index / 2;
    return place < PLACES && (this.#built & (1 << place)) !== 0;
  }

  /** A copy with further fields, by the rule of `merge`. */
  with(fields: HeaderFields | FieldValues): HeaderFields {
    return this.copy().merge(fields);
  }

  /** Removes what describes the content that was to be sent: it is an error now. */
  deleteContent(): this {
    const list = this.#list;
    for (let i = list.length - 2; i >= 0; i -= 2) if (OF_CONTENT.has((list[i] as string).toLowerCase())) this.remove(i);
    return this;
  }

  private write(name: string, value: string): void {
    if (isList(name)) this.append(name, value);
    else this.set(name, value);
  }

  /** The first value takes the place of a former one: fields keep their positions. */
  private writeEach(name: string, values: readonly (string | Date)[]): void {
    for (let i = 0; i < values.length; i++) {
      const value = textOf(values[i]);
      if (i === 0 || isList(name)) this.write(name, value);
      else this.push(name, value);
    }
  }

  private replace(index: number, value: string): void {
    this.#list[index + 1] = value;
    if (index / 2 < PLACES) this.#built &= ~(1 << (index / 2));
  }

  /** The fields after it change their places. */
  private remove(index: number): void {
    this.#list.splice(index, 2);
    this.#built = 0;
  }

  private push(name: string, value: string): void {
    this.#list.push(name, value);
    this.#lengths |= 1 << name.length;
  }

  private indexOf(name: string): number {
    if ((this.#lengths & (1 << name.length)) === 0) return -1;
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      const other = list[i] as string;
      if (other.length === name.length && isSameName(other, name)) return i;
    }
    return -1;
  }
}

/** How many places have a bit. */
const PLACES = 31;

const textOf = (value: unknown): string => (value instanceof Date ? dateText(value) : String(value));

/** Names are the same in any case (RFC 9110, section 5.1). Allocates nothing. */
function isSameName(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one === other) continue;
    const lower = one | 0x20;
    if (lower !== (other | 0x20) || lower < 0x61 || lower > 0x7a) return false;
  }
  return true;
}

function lengthsOf(list: readonly string[]): number {
  let lengths = 0;
  for (let i = 0; i < list.length; i += 2) lengths |= 1 << (list[i] as string).length;
  return lengths;
}

export const distinctNames = (names: readonly string[]): string[] =>
  names.filter((name, i) => names.findIndex((other) => isSameName(other, name)) === i);

/** The names of a list that another one lacks. */
function withoutNames(list: string, former: string): string {
  const names = former.split(',').map((name) => name.trim());
  const missing = list.split(',').filter((name) => !names.some((other) => other === '*' || isSameName(other, name.trim())));
  return missing.map((name) => name.trim()).join(', ');
}

// The header fields that the pipeline writes, which no contract has to declare.

/** `Link` and `Cache-Control` are not among them: handlers may write them, and the pipeline adds to the one and gives a default for the other. */
export const FRAMEWORK_HEADERS = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'WWW-Authenticate',
  'Allow',
  'Retry-After',
  'Deprecation',
  'Sunset',
  'X-Stability',
  'Idempotent-Replayed',
] as const;

/** Those of the rate limits, for a contract with `x-rate-limit-plans`. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/** The form of a text: its pattern, and how long it is. */
export interface TextForm {
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
}

/** The forms of the fields that differ in each response, by their names in lower case. A schema that has the same pattern accepts them. */
export const FORMS: ReadonlyMap<string, TextForm> = new Map([
  ['x-request-id', { pattern: '^[A-Za-z0-9._-]+$', minLength: 1, maxLength: 100 }],
  ['ratelimit', { pattern: '^"minute";r=[0-9]+;t=[0-9]+, "day";r=[0-9]+;t=[0-9]+$', minLength: 31, maxLength: 69 }],
]);
