/** Values without parts that fit a schema, each the same in every run, and others that fit it too. */
import { createHash } from 'node:crypto';
import {
  type Limits,
  contentEncodingOf,
  contentMediaTypeOf,
  declaredDefault,
  examplesOf,
  formatOf,
  patternOf,
} from '@specwright/contract/document';
import { createGeneratorSync } from 'json-schema-faker';
import { type BuildOptions, NoValueError, noValue, type Sources } from './build-options.ts';
import { isSameValue } from './compare-values.ts';
import { type SchemaView, type Schemas, first, viewSchema } from '../../../schema/schema-view.ts';

const DAY_MS = 86_400_000;
/** Longer texts test nothing more, and a schema may allow megabytes. */
const MAX_LENGTH = 100;
const SEEDS = [1, 2, 3, 4, 5];

/** What is likely to fit, best first. @param name that of the property: it tells texts apart in a message. */
export function* leafCandidates(view: SchemaView, name: string): Generator {
  const { values, types } = view;
  const standard = first(view, declaredDefault);
  const differs = (value: unknown) => value !== standard;
  const takes = (...wanted: readonly string[]) => types.length === 0 || types.some((type) => wanted.includes(type));
  if (values !== undefined) yield* [...values.filter(differs), ...values];
  if (takes('string') && first(view, patternOf) === undefined) yield* texts(view, name).filter(differs);
  // A value that is the default comes back from a server that stores nothing.
  if (takes('boolean')) yield* [standard !== true, true, false];
  if (takes('integer', 'number')) yield* numbers(view).filter(differs);
  for (const seed of SEEDS) yield generated(view, seed);
  if (takes('object')) yield {};
  if (takes('array')) yield [];
}

function numbers({ limits, type }: SchemaView): number[] {
  const step = limits.multipleOf ?? 1;
  const { low, high } = boundsOf(limits);
  const from = Number.isFinite(low) ? low : 0;
  const steps = [Math.ceil(from / step), Math.floor(high / step)].flatMap((count) => [count, count + 1, count - 1]);
  const found = [7, from + step, from, step, high, high - step, ...steps.map((count) => count * step), (low + high) / 2];
  return found.filter((value) => Number.isFinite(value) && (type !== 'integer' || Number.isInteger(value)));
}

const boundsOf = ({ minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity }: Limits) => ({
  low: Math.max(minimum, exclusiveMinimum),
  high: Math.min(maximum, exclusiveMaximum),
});

function texts(view: SchemaView, name: string): string[] {
  const format = first(view, formatOf);
  const { minLength: least = 0, maxLength: most = Infinity } = view.limits;
  const encoding = first(view, contentEncodingOf);
  if (encoding === 'base64' || encoding === 'base64url') return [Buffer.from(name.padEnd(least, 'x')).toString(encoding)];
  if (/[/+]json\b/.test(first(view, contentMediaTypeOf) ?? '')) return [JSON.stringify(name.padEnd(least, 'x'))];
  if (format === 'date-time') return ['2031-02-03T04:05:06Z'];
  if (format === 'date') return ['2031-02-03'];
  if (format === 'decimal') return ['7.25', '7', '0.5'];
  // The generator knows `uri`, and makes any text of this one.
  if (format === 'url') return [`https://example.com/${encodeURIComponent(name)}`, 'https://example.com', 'http://a.co'];
  if (format !== undefined && format !== 'password') return [];
  return [name.slice(0, most).padEnd(least, 'x')];
}

/** @returns `undefined` if the generator can make none. */
function generated(view: SchemaView, seed: number): unknown {
  const { types, limits, values } = view;
  const [format, pattern] = [first(view, formatOf), first(view, patternOf)];
  // An object or list is built of its parts.
  const type = types.find((one) => one !== 'object' && one !== 'array') ?? (types.length === 0 ? 'string' : undefined);
  if (type === undefined) return undefined;
  const schema = { type, ...bounded(limits), ...(format && { format }), ...(pattern && { pattern }), ...(values && { enum: [...values] }) };
  try {
    return createGeneratorSync({ seed }).generate(schema);
  } catch {
    return undefined;
  }
}

const bounded = (limits: Limits): Limits =>
  limits.maxLength === undefined
    ? limits
    : { ...limits, maxLength: Math.min(limits.maxLength, Math.max(MAX_LENGTH, limits.minLength ?? 0)) };

/** Values near another one, some of which may fit where it does. */
export function* nearbyValues(value: unknown, view: SchemaView): Generator {
  if (typeof value === 'boolean') yield !value;
  if (typeof value === 'number') {
    const step = view.limits.multipleOf ?? 1;
    yield* [value + step, value - step];
  }
  if (typeof value !== 'string') return;
  const format = first(view, formatOf) ?? '';
  if (format === 'date-time' || format === 'date') {
    const next = new Date(Date.parse(value) + DAY_MS).toISOString();
    yield format === 'date' ? next.slice(0, 10) : next;
  }
  yield* [`${value} 2`, `${value}2`, `2${value}`, `${value.slice(0, -1)}2`, `${value.slice(0, -1)}3`, `${value.slice(0, -1)}a`];
  yield value.slice(0, -1);
}

/** What dates are counted from, and for how many days. */
const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAYS = 365;
/** Numbers of things: ids and counts that a person can tell apart. */
const MAX_NUMBER = 1000;
const ATTEMPTS = 5;

/** The seed of a part of a value. */
const seedAt = (seed: number, place: string): number => seedOf(`${seed} ${place}`);

/** A seed, the same for the same text. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/** What is likely to fit, best first. @param name that of the property. */
function* seededCandidates(view: SchemaView, name: string, seed: number): Generator {
  const { values, types } = view;
  const takes = (...wanted: readonly string[]) => types.some((type) => wanted.includes(type));
  if (values !== undefined) {
    for (let i = 0; i < values.length; i++) yield values[(seed + i) % values.length];
    return;
  }
  if (takes('string')) yield* seededTexts(view, name, seed);
  if (takes('integer', 'number')) yield* seededNumbers(view, seed);
  if (takes('boolean')) yield seed % 2 === 0;
}

function* seededTexts(view: SchemaView, name: string, seed: number): Generator {
  const format = first(view, formatOf);
  const day = new Date(FIRST_DAY + (seed % DAYS) * DAY_MS + (seed % 86_400) * 1000).toISOString();
  if (format === 'date-time') yield `${day.slice(0, 19)}Z`;
  else if (format === 'date') yield day.slice(0, 10);
  else if (format === 'email') yield* seededEmails(view, seed);
  else if (format === 'uri' || format === 'url') yield `https://example.com/${encodeURIComponent(name)}/${seed % MAX_NUMBER}`;
  else if (format === 'uuid') yield uuidOf(seed);
  else if (format === 'decimal') yield* [`${seed % MAX_NUMBER}.25`, String(seed % MAX_NUMBER)];
  else if ((format === undefined || format === 'password') && first(view, patternOf) === undefined) {
    // Of an item of a list the name is its index.
    yield `${/^\d+$/.test(name) ? 'item' : name} ${seed % MAX_NUMBER}`;
    const { minLength: least = 0, maxLength: most = 20 } = view.limits;
    yield `${name}${seed}`.slice(-most).padEnd(least, 'x');
  }
  for (let i = 0; i < ATTEMPTS; i++) yield generated(view, seed + i);
}

/** Of the length that is asked for, with a shorter domain if it has to be. */
function* seededEmails({ limits: { minLength = 0, maxLength = Infinity } }: SchemaView, seed: number): Generator<string> {
  for (const domain of ['example.com', 'a.co']) {
    const name = `user${seed % MAX_NUMBER}`.slice(0, Math.max(1, maxLength - domain.length - 1));
    yield `${name.padEnd(minLength - domain.length - 1, 'x')}@${domain}`;
  }
}

/** Version 4 (RFC 9562, section 5.4). */
function uuidOf(seed: number): string {
  const hex = createHash('sha256').update(String(seed)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function* seededNumbers({ limits, types }: SchemaView, seed: number): Generator {
  const { low, high } = boundsOf(limits);
  const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - MAX_NUMBER : 0;
  const range = Math.min(high - from, MAX_NUMBER);
  const isInteger = !types.includes('number');
  const unit = limits.multipleOf ?? (isInteger || range > 1 ? 1 : range / 100);
  const steps = Math.max(1, Math.floor(range / unit));
  const count = Math.ceil(from / unit) + 1 + (seed % steps);
  // Without what floating point adds to it.
  yield Number((count * unit).toPrecision(12));
}

/** @throws NoValueError */
export function buildLeaf(
  { isValid, changed, seed, ignoreExamples = false }: BuildOptions,
  view: SchemaView,
  schemas: Schemas,
  place: string,
  { given, examples, before }: Sources,
): unknown {
  const fits = (value: unknown): boolean => value !== undefined && value !== null && isValid(schemas, value);
  const isOther = (value: unknown) => fits(value) && !isSameValue(value, before);
  const isChanged = changed !== undefined && `${place}/`.startsWith(`${changed}/`);
  const known = given.find(isChanged ? isOther : fits);
  if (known !== undefined) return known;
  const standard = first(view, declaredDefault);
  const isNew = (value: unknown) => isOther(value) && !isSameValue(value, standard);
  const name = place.slice(place.lastIndexOf('/') + 1);
  // What was chosen with care stays the nearest to what is accepted.
  const own = ignoreExamples ? [] : view.parts.flatMap(({ value }) => examplesOf(value));
  const documented = [...given, ...examples, ...own].filter(fits);
  const seeded = seed === undefined ? [] : seededCandidates(view, name, seedAt(seed, place));
  const [best = firstFit(seeded, fits) ?? firstFit(leafCandidates(view, name), fits)] = documented;
  if (best === undefined) {
    if (isValid(schemas, null)) return null;
    const tried = firstFit(leafCandidates(view, name), (value) => value !== undefined);
    throw noValue(place, tried);
  }
  if (isNew(best)) return best;
  const others = [...documented, ...(view.values ?? []), ...nearbyValues(best, view), ...leafCandidates(view, name)];
  // That of the default is another one than is stored, at least.
  return others.find(isNew) ?? others.find(isOther) ?? best;
}

function firstFit(values: Iterable<unknown>, fits: (value: unknown) => boolean): unknown {
  for (const value of values) if (fits(value)) return value;
  return undefined;
}

/** A value of the schemas that is none of those that there are. @throws NoValueError */
export function anotherValue(options: BuildOptions, schemas: Schemas, known: readonly unknown[], place: string): unknown {
  const isOther = (one: unknown) => !known.some((item) => isSameValue(one, item)) && options.isValid(schemas, one);
  const found = candidates(options, schemas, known, place).find(isOther);
  if (found === undefined) throw new NoValueError(`no further value can be made for ${place}`);
  return found;
}

/** Scalars near those that there are, and objects that differ in one property. */
function candidates(options: BuildOptions, schemas: Schemas, known: readonly unknown[], place: string): unknown[] {
  const view = viewSchema(options.document, schemas);
  const near = [...(view.values ?? []), ...known.flatMap((item) => [...nearbyValues(item, view)]), ...leafCandidates(view, 'other')];
  const [last] = known.slice(-1);
  if (typeof last !== 'object' || last === null || Array.isArray(last)) return near;
  const changed = Object.entries(last).flatMap(([name, value]: [string, unknown]) => {
    const seen = [value, ...known.map((item) => (item as Record<string, unknown> | null)?.[name])];
    try {
      return [{ ...last, [name]: anotherValue(options, view.properties.get(name) ?? view.additional ?? [], seen, `${place}/${name}`) }];
    } catch (error) {
      if (error instanceof NoValueError) return [];
      throw error;
    }
  });
  return [...near, ...changed];
}
