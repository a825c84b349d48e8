/** Values without parts that differ from seed to seed: those of one record are not those of the next, and the same in every run. */
import { createHash } from 'node:crypto';
import { formatOf, patternOf } from '@specwright/contract/document';
import { DAY_MS, generated } from './leaf-values.ts';
import { first, type SchemaView } from './schema-view.ts';

/** What dates are counted from, and for how many days. */
const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAYS = 365;
/** Numbers of things: ids and counts that a person can tell apart. */
const MAX_NUMBER = 1000;
const ATTEMPTS = 5;

/** The seed of a part of a value. */
export const seedAt = (seed: number, place: string): number => seedOf(`${seed} ${place}`);

/** A seed, the same for the same text. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/** What is likely to fit, best first. @param name that of the property. */
export function* seededCandidates(view: SchemaView, name: string, seed: number): Generator {
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
  else if (format === 'email') yield `user${seed % MAX_NUMBER}@example.com`;
  else if (format === 'uri' || format === 'url') yield `https://example.com/${encodeURIComponent(name)}/${seed % MAX_NUMBER}`;
  else if (format === 'uuid') yield uuidOf(seed);
  else if ((format === undefined || format === 'password') && first(view, patternOf) === undefined) {
    // Of an item of a list the name is its index.
    yield `${/^\d+$/.test(name) ? 'item' : name} ${seed % MAX_NUMBER}`;
    const { minLength: least = 0, maxLength: most = 20 } = view.limits;
    yield `${name}${seed}`.slice(-most).padEnd(least, 'x');
  }
  for (let i = 0; i < ATTEMPTS; i++) yield generated(view, seed + i);
}

/** Version 4 (RFC 9562, section 5.4). */
function uuidOf(seed: number): string {
  const hex = createHash('sha256').update(String(seed)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function* seededNumbers({ limits, types }: SchemaView, seed: number): Generator {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf: step } = limits;
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - MAX_NUMBER : 0;
  const range = Math.min(high - from, MAX_NUMBER);
  const isInteger = !types.includes('number');
  const unit = step ?? (isInteger || range > 1 ? 1 : range / 100);
  const steps = Math.max(1, Math.floor(range / unit));
  const count = Math.ceil(from / unit) + 1 + (seed % steps);
  // Without what floating point adds to it.
  yield Number((count * unit).toPrecision(12));
}
