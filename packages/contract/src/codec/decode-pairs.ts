/** Decodes the fields of a query or of a form: `a=1&b=2`. */
import { acceptsText, decodeJson, decodeText, delimiterOf, type Field, NOT_ENCODED, ONCE, splitPair, toObject } from './decode.ts';
import { type FieldEncoding, isExplodedObject } from './field-encoding.ts';
import { isDelimited } from './form-encoding.ts';
import { nestingProblem, parseNestedForm } from './nested-form.ts';
import { jsonOf } from './strict-json.ts';
import { type RawValue, type ReportProblem, type ValueShape, convertValue, hasScalar, scalarOf } from './typed-values.ts';

/** What was sent of a field, percent-encoded. */
interface SentField {
  readonly plain: string[];
  /** Pairs whose names have brackets: `a[b]=1`. */
  readonly bracketed: string[];
  /** The values of its properties, of an object whose properties are fields. */
  readonly parts: Map<string, string[]>;
}

/** To which field a name belongs, and how. `part`: as a property of an object whose properties are fields. */
interface Place {
  readonly field: Field;
  readonly kind: 'plain' | 'bracketed' | 'part';
}

export interface PairsOptions {
  readonly fields: readonly Field[];
  /** The field of a name that is not among them; `undefined`, and it reports, if there may be none. */
  readonly undeclared: (name: string, report: ReportProblem) => Field | undefined;
  /** Names that are read elsewhere. */
  readonly isIgnored?: (name: string) => boolean;
}

/** Decodes a query or a form: `a=1&b=2`. Calls `set` with the value of each field that was sent; one with a problem keeps its text. */
export type DecodePairs = (text: string, set: (name: string, value: unknown) => void, report: ReportProblem) => void;

export function createPairsDecoder({ fields, undeclared, isIgnored }: PairsOptions): DecodePairs {
  const findPlace = createPlaces(fields);
  return (text, set, report) => {
    const sent = new Map<string, { field: Field; sent: SentField }>();
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const [encodedName, value] = splitPair(pair);
      const name = decodeText(encodedName, (message) => report(`has a name that ${message}`, ''));
      if (name === undefined) continue;
      const isElsewhere = isIgnored?.(name) === true;
      const place = findPlace(name, isElsewhere) ?? (isElsewhere ? undefined : placeOfUndeclared(name, undeclared, report));
      if (place === undefined) continue;
      const { field, kind } = place;
      let entry = sent.get(field.name);
      if (entry === undefined) sent.set(field.name, (entry = { field, sent: { plain: [], bracketed: [], parts: new Map() } }));
      if (kind === 'plain') entry.sent.plain.push(value);
      else if (kind === 'bracketed') entry.sent.bracketed.push(pair);
      else entryOf(entry.sent.parts, name).push(value);
    }
    for (const [name, { field, sent: values }] of sent)
      set(
        name,
        decodeField(field, values, (message, path) => report(message, `/${name}${path}`)),
      );
  };
}

function entryOf(map: Map<string, string[]>, key: string): string[] {
  let entry = map.get(key);
  if (entry === undefined) map.set(key, (entry = []));
  return entry;
}

/** `a[b][]`: the field is `a`. */
const BRACKETED = /^([^[]+)(?:\[[^[\]]*\])+$/;

const rootOf = (name: string): string | undefined => (name.includes('[') ? BRACKETED.exec(name)?.[1] : undefined);

/** Each name belongs to the field of that name; else to one with brackets; else to an object whose properties are fields. */
function createPlaces(fields: readonly Field[]): (name: string, isElsewhere: boolean) => Place | undefined {
  const exploded = fields.filter((field) => isExplodedObject(field.encoding) && field.shape.types.has('object'));
  // The name of an object whose properties are fields is no field itself.
  const isOnlyParts = (field: Field) => field.in === 'query' && exploded.includes(field) && !isTextOrList(field.shape);
  const declared = new Map(fields.filter((field) => !isOnlyParts(field)).map((field) => [field.name, field]));
  const owners = new Map([...exploded].reverse().flatMap((field) => field.shape.propertyNames.map((part) => [part, field])));
  const open = exploded.find((field) => field.shape.isOpen);
  return (name, isElsewhere) => {
    const own = declared.get(name);
    if (own !== undefined) return { field: own, kind: 'plain' };
    const root = rootOf(name);
    const outer = root === undefined ? undefined : declared.get(root);
    if (outer !== undefined) return { field: outer, kind: 'bracketed' };
    const owner = isElsewhere ? undefined : (owners.get(name) ?? open);
    return owner && { field: owner, kind: 'part' };
  };
}

function placeOfUndeclared(name: string, undeclared: PairsOptions['undeclared'], report: ReportProblem): Place | undefined {
  const root = rootOf(name);
  const outer = root === undefined ? undefined : undeclared(root, () => undefined);
  const takesBrackets = outer !== undefined && (outer.shape.types.size === 0 || isComposite(outer.shape));
  if (takesBrackets) return { field: outer, kind: 'bracketed' };
  const field = undeclared(name, report);
  return field && { field, kind: 'plain' };
}

function decodeField(field: Field, sent: SentField, report: ReportProblem): unknown {
  const { shape, encoding } = field;
  const { plain, parts } = sent;
  if (sent.bracketed.length > 0) return decodeBracketed(field, sent, report);
  if (parts.size > 0) {
    if (plain.length > 0) report(`${ONCE}: by its name, or by its properties`, '');
    const values = [...parts].map(([name, texts]): [string, RawValue] => {
      const decoded = decodeAll(texts, (message) => report(message, `/${name}`));
      return [name, decoded.length === 1 ? (decoded[0] ?? '') : decoded];
    });
    return convertValue(shape, Object.fromEntries(values), report);
  }
  const [first = ''] = plain;
  if (first === '' && plain.length === 1 && shape.types.size > 0 && !acceptsText(shape)) {
    if (shape.isNullable) return null;
    // No list of texts: one without items can be sent.
    if (shape.types.has('array')) return [];
  }
  if (isDelimited(encoding) && isComposite(shape)) {
    const isList = shape.types.has('array');
    if (plain.length > 1) report(isList ? `${ONCE}: ${field.name}=a${SEPARATORS[encoding.style] ?? ','}b` : ONCE, '');
    const pieces = decodeAll(first.split(delimiterOf(field)), (message) => report(message, ''));
    return convertValue(shape, isList ? pieces : toObject(pieces, false, report), report);
  }
  const texts = decodeAll(plain, (message) => report(message, ''));
  return texts.length === plain.length ? decodeTexts(field, texts, report) : first;
}

const isComposite = ({ types }: ValueShape): boolean => types.has('object') || types.has('array');
const isTextOrList = (shape: ValueShape): boolean => shape.types.has('array') || hasScalar(shape);

function decodeBracketed({ name, shape, encoding }: Field, { plain, bracketed }: SentField, report: ReportProblem): unknown {
  if (encoding.style !== 'content' && encoding.style !== 'deepObject') report('must be written without brackets', '');
  else if (plain.length > 0) report('must be written with brackets or without them, not both', '');
  try {
    const nested = parseNestedForm(bracketed.join('&'));
    return convertValue(shape, (Object.hasOwn(nested, name) ? nested[name] : undefined) ?? {}, report);
  } catch (error) {
    report(error instanceof URIError ? NOT_ENCODED : nestingProblem(error), '');
    return bracketed.join('&');
  }
}

/** The values of a name: several are the items of a list. */
function decodeTexts(field: Field, texts: readonly string[], report: ReportProblem): unknown {
  const { shape, encoding } = field;
  const [first = ''] = texts;
  const isList = shape.types.has('array') && !(encoding.style === 'json' && field.in === 'query');
  const decodeItems = (decode: (text: string, report: ReportProblem) => unknown) =>
    texts.map((text, i) => decode(text, (message, path) => report(message, `/${i}${path}`)));
  if (isList && encoding.style === 'json' && (texts.length > 1 || !isWholeList(first, shape)))
    return decodeItems((text, reportItem) => decodeJson(text, shape.item(), reportItem));
  if (isList && encoding.style !== 'json' && (texts.length > 1 || !hasScalar(shape)) && encoding.style !== 'deepObject')
    return decodeItems((text, reportItem) => decodeOne(shape.item(), encoding, text, reportItem));
  if (texts.length > 1) {
    if (encoding.style !== 'json') return convertValue(shape, texts, report);
    report(ONCE, '');
  }
  return decodeOne(shape, encoding, first, report);
}

/** Whether JSON is the list itself, and no item of it: both are written. */
function isWholeList(text: string, shape: ValueShape): boolean {
  const value = jsonOf(text);
  // What is no JSON is reported of the whole.
  return value === undefined || (Array.isArray(value) && (!shape.item().types.has('array') || value.every(Array.isArray)));
}

function decodeOne(shape: ValueShape, { style }: FieldEncoding, text: string, report: ReportProblem): unknown {
  if (style === 'json') return decodeJson(text, shape, report);
  if (style !== 'content' || !isComposite(shape)) return scalarOf(shape, text) ?? convertValue(shape, text, report);
  // Of what may be a text too, JSON is what looks like it.
  if (hasScalar(shape) && (!/^\s*[[{]/.test(text) || jsonOf(text) === undefined)) return convertValue(shape, text, report);
  return decodeJson(text, shape, report);
}

/** What is written between the items of a list. */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' };

const decodeAll = (encoded: readonly string[], report: (message: string) => void): string[] =>
  encoded.map((text) => decodeText(text, report)).filter((text) => text !== undefined);
