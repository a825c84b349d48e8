/** Decodes the property of a form from what was sent of it. */
import { decodeJson } from './decode-json.ts';
import { isDelimited, type FieldEncoding } from './form-fields.ts';
import { nestingProblem, parseNestedForm } from './parameter-styles.ts';
import { convertValue, type RawValue, type ReportProblem, type ValueShape } from './typed-values.ts';

export interface Field {
  readonly name: string;
  readonly shape: ValueShape;
  readonly encoding: FieldEncoding;
}

/** What was sent of a property, percent-encoded. */
export interface SentField {
  /** The values of its name. */
  readonly plain: string[];
  /** Pairs whose names have brackets: `a[b]=1`. */
  readonly bracketed: string[];
  /** The values of its properties, of an object whose properties are fields. */
  readonly parts: Map<string, string[]>;
}

const ONCE = 'must be given once';

/** The value of a property. One with a problem keeps its text. */
export function decodeField(field: Field, sent: SentField, report: ReportProblem): unknown {
  const { shape, encoding } = field;
  if (sent.bracketed.length > 0) return decodeBracketed(field, sent, report);
  if (sent.parts.size > 0) {
    if (sent.plain.length > 0) report('must be given once: by its name, or by its properties', '');
    const parts = [...sent.parts].map(([name, texts]): [string, RawValue] => {
      const values = decodeAll(texts, (message) => report(message, `/${name}`));
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    });
    return convertValue(shape, Object.fromEntries(parts), report);
  }
  const [first = '', ...others] = sent.plain;
  if (first === '' && others.length === 0 && shape.types.size > 0 && !acceptsText(shape)) {
    if (shape.isNullable) return null;
    // No list of texts: one without items can be sent.
    if (shape.types.has('array')) return [];
  }
  if (isDelimited(encoding) && (shape.types.has('array') || shape.types.has('object'))) {
    if (others.length > 0) report(shape.types.has('array') ? `${ONCE}: ${field.name}=a${SEPARATORS[encoding.style] ?? ','}b` : ONCE, '');
    return convertValue(shape, splitField(field, first, report), report);
  }
  const texts = decodeAll(sent.plain, (message) => report(message, ''));
  return texts.length === sent.plain.length ? decodeTexts(field, texts, report) : sent.plain[0];
}

/** Whether an empty text is a value of it, or an item. */
const acceptsText = ({ types, item }: ValueShape): boolean =>
  types.has('string') || (types.has('array') && (item().types.size === 0 || item().types.has('string')));

function decodeBracketed({ name, shape, encoding }: Field, { plain, bracketed }: SentField, report: ReportProblem): unknown {
  if (encoding.style !== 'content' && encoding.style !== 'deepObject') report('must be written without brackets', '');
  else if (plain.length > 0) report('must be written with brackets or without them, not both', '');
  // The parser would leave it out.
  if (bracketed.some((pair) => /(\[|%5b)__proto__(\]|%5d)/i.test(pair))) report('must not have a property __proto__', '');
  try {
    const nested = parseNestedForm(bracketed.join('&'));
    return convertValue(shape, (Object.hasOwn(nested, name) ? nested[name] : undefined) ?? {}, report);
  } catch (error) {
    report(error instanceof URIError ? NOT_ENCODED : nestingProblem(error), '');
    return bracketed.join('&');
  }
}

/** The values of a name: several are the items of a list. */
function decodeTexts({ shape, encoding }: Field, texts: readonly string[], report: ReportProblem): unknown {
  const [first = ''] = texts;
  const isList = shape.types.has('array');
  const reportItem =
    (i: number): ReportProblem =>
    (message, path) =>
      report(message, `/${i}${path}`);
  if (isList && encoding.style === 'json' && (texts.length > 1 || !isWholeList(first, shape)))
    return texts.map((text, i) => decodeJson(text, shape.item(), reportItem(i)));
  if (isList && encoding.style !== 'json' && (texts.length > 1 || !hasScalar(shape)) && encoding.style !== 'deepObject')
    return texts.map((text, i) => decodeOne(shape.item(), encoding, text, reportItem(i)));
  if (texts.length > 1) return convertValue(shape, texts, report);
  return decodeOne(shape, encoding, first, report);
}

/** Whether JSON is the list itself, and no item of it: both are written. */
function isWholeList(text: string, shape: ValueShape): boolean {
  const value = parsed(text);
  // What is no JSON is reported of the whole.
  return value === undefined || (Array.isArray(value) && (!shape.item().types.has('array') || value.every(Array.isArray)));
}

function decodeOne(shape: ValueShape, { style }: FieldEncoding, text: string, report: ReportProblem): unknown {
  if (style === 'json') return decodeJson(text, shape, report);
  const isComposite = shape.types.has('object') || shape.types.has('array');
  if (style !== 'content' || !isComposite) return convertValue(shape, text, report);
  // Of what may be a text too, JSON is what looks like it.
  if (hasScalar(shape) && (!/^\s*[[{]/.test(text) || parsed(text) === undefined)) return convertValue(shape, text, report);
  return decodeJson(text, shape, report);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasScalar = ({ types }: ValueShape): boolean => ['string', 'integer', 'number', 'boolean'].some((type) => types.has(type));

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' };

/** Splits before it decodes, because a comma that is percent-encoded belongs to an item (RFC 6570, section 3.2.1). */
function splitField({ shape, encoding }: Field, encoded: string, report: ReportProblem): RawValue {
  const isList = shape.types.has('array');
  const isNumeric = isList && !acceptsText(shape);
  const delimiter =
    encoding.style === 'spaceDelimited' ? /\+|%20/ : encoding.style === 'pipeDelimited' ? /\||%7c/i : isNumeric ? /,|%2c/i : ',';
  const pieces = decodeAll(encoded.split(delimiter), (message) => report(message, ''));
  if (isList) return pieces;
  const values = new Map<string, string>();
  if (pieces.length % 2 === 1) report('must have a value for each name', '');
  for (let i = 0; i + 1 < pieces.length; i += 2) {
    const name = pieces[i] ?? '';
    if (values.has(name)) report(ONCE, `/${name}`);
    values.set(name, pieces[i + 1] ?? '');
  }
  return Object.fromEntries(values);
}

export const NOT_ENCODED = 'is not valid percent-encoding of UTF-8';

/** @returns `undefined`, and reports, for what is not percent-encoded UTF-8. */
export function decodeText(encoded: string, report: (message: string) => void): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    report(NOT_ENCODED);
    return undefined;
  }
}

/** Without those that cannot be decoded. */
const decodeAll = (encoded: readonly string[], report: (message: string) => void): string[] =>
  encoded.map((text) => decodeText(text, report)).filter((text) => text !== undefined);
