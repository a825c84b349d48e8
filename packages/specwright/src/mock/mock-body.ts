/** The body of a mock's response: an example of the contract, or a generated value, in the form that its media type has. */
import { Readable } from 'node:stream';
import { stringifyJson } from '@specwright/contract';
import {
  type Document,
  type DocumentOperation,
  type MediaType,
  type Response,
  bodyKind,
  itemSchemaOf,
  operationKeys,
  pointerTo,
  resolveAt,
  sequenceKind,
} from '@specwright/contract/document';
import type { Json, SpecMedia } from '../testing/contract/document.ts';
import { NoValueError } from '../testing/contract/values/build-options.ts';
import { exampleValues } from '../testing/contract/values/build-value.ts';
import type { LocatedSchema } from '../schema/schema-view.ts';
import { textOf } from '../testing/contract/values/compare-values.ts';
import { isPlainObject, type MockValues } from './mock-values.ts';

/** What `reply` is given beside status and headers. */
export interface MockBody {
  readonly body?: unknown;
  readonly stream?: (range?: { readonly start: number; readonly end: number }) => Readable;
  readonly length?: number;
  readonly items?: readonly unknown[];
}

export interface BodyOptions {
  readonly values: MockValues;
  readonly document: Json;
  readonly seed: number;
  /** What the value is, as far as it is known. */
  readonly given: unknown;
  /** What a generated value takes over. */
  readonly echo: unknown;
  /** The example with this name alone. */
  readonly example?: string | undefined;
  readonly ignoreExamples: boolean;
  /** Whether the response may be sent in ranges. */
  readonly isDownload: boolean;
}

/** How many items a stream has. */
const ITEMS = 3;

/** One transparent pixel: what pages can show. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

export function mockBody(media: DeclaredMedia, options: BodyOptions): MockBody {
  const { itemSchema } = media;
  const { values, seed, ignoreExamples } = options;
  const chosen = chooseExample(media, options);
  if (itemSchema !== undefined) {
    if (Array.isArray(chosen)) return { items: chosen as unknown[] };
    const first = chosen !== undefined && values.problems(itemSchema, chosen).length === 0 ? [chosen] : [];
    const rest = Array.from({ length: ITEMS - first.length }, (_, i) => values.valueOf(itemSchema, { seed: seed + i, ignoreExamples }));
    return { items: [...first, ...rest] };
  }
  if (bodyKind(media.type) === 'json') {
    if (chosen !== undefined) return { body: chosen };
    if (media.schema === undefined) return { body: {} };
    return { body: values.valueOf(media.schema, { seed, given: options.given, echo: options.echo, ignoreExamples }) };
  }
  const bytes = bytesOf(media, chosen, options);
  if (!options.isDownload) return { body: bytes };
  return {
    length: bytes.length,
    stream: ({ start, end } = { start: 0, end: bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)]),
  };
}

/** @returns the first example that is valid, or the one that was asked for. @throws PreferError if that is not valid. */
function chooseExample({ media, schema }: DeclaredMedia, { values, document, example, given, ignoreExamples }: BodyOptions): unknown {
  if (example !== undefined) {
    const { [example]: named } = media.examples ?? {};
    const [value] = exampleValues(document, { examples: { named: named ?? {} } });
    const problems = schema === undefined ? [] : values.problems(schema, value);
    if (problems.length > 0) throw new PreferError(`header/Prefer: the example ${example} is not valid: ${problems.join('; ')}`);
    return value;
  }
  if (ignoreExamples || given !== undefined) return undefined;
  return exampleValues(document, media).find((value) => schema === undefined || values.problems(schema, value).length === 0);
}

function bytesOf({ type, schema, media }: DeclaredMedia, chosen: unknown, { values, document, seed, ignoreExamples }: BodyOptions): Buffer {
  // The schema of what is sent as it is, such as XML, is that of something else: an example of it is what there is.
  const [written] = ignoreExamples ? [] : exampleValues(document, media).filter((value) => typeof value === 'string');
  const example = chosen ?? written;
  if (example !== undefined) return Buffer.from(textOf(example));
  if (/^image\//i.test(type)) return PNG;
  if (/[/+]xml\b/i.test(type)) return Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<mock/>\n');
  try {
    const value = schema === undefined ? 'mock' : values.valueOf(schema, { seed, ignoreExamples });
    if (sequenceKind(type) === 'events') return Buffer.from(eventText(value).repeat(ITEMS));
    return Buffer.from(typeof value === 'string' ? value : textOf(value));
  } catch (error) {
    if (!(error instanceof NoValueError)) throw error;
    return Buffer.from('mock');
  }
}

/** An event (HTML, section 9.2): its fields, of an object that has `data`; else the value as its data. */
export function eventText(value: unknown): string {
  const fields = isPlainObject(value) && 'data' in value ? value : { data: value };
  const lines = Object.entries(fields).filter(([name]) => EVENT_FIELDS.includes(name));
  return `${lines
    .flatMap(([name, field]) =>
      (typeof field === 'object' || typeof field === 'bigint' ? (stringifyJson(field) ?? '') : textOf(field))
        .split(/\r\n|\r|\n/)
        .map((line) => `${name}: ${line}`),
    )
    .join('\n')}\n\n`;
}

const EVENT_FIELDS = ['event', 'data', 'id', 'retry'];

/** The responses that an operation declares, with where their schemas are. */
export interface DeclaredMedia {
  /** As the contract spells it. */
  readonly type: string;
  readonly media: SpecMedia;
  readonly schema: LocatedSchema | undefined;
  /** Of each item of a sequence. */
  readonly itemSchema: LocatedSchema | undefined;
}

export interface DeclaredHeader {
  readonly name: string;
  readonly required: boolean;
  readonly media: SpecMedia;
  readonly schema: LocatedSchema | undefined;
}

export interface DeclaredResponse {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  readonly headers: readonly DeclaredHeader[];
  readonly content: readonly DeclaredMedia[];
  readonly response: Response;
}

const located = (schema: SpecMedia['schema'], pointer: string, ...keys: string[]): LocatedSchema | undefined =>
  schema === undefined ? undefined : { value: schema, pointer: pointer + pointerTo(...keys).slice(1) };

/** In the order of the contract. */
export function declaredResponses(document: Document, operation: DocumentOperation): DeclaredResponse[] {
  return Object.entries(operation.operation.responses).map(([key, reference]) => {
    const at = pointerTo(...operationKeys(operation), 'responses', key);
    const { value: response, pointer } = resolveAt<Response>(document, reference, at);
    return {
      key,
      response,
      headers: Object.entries(response.headers ?? {}).map(([name, header]) => {
        const found = resolveAt<SpecMedia & { required?: boolean }>(document, header, pointer + pointerTo('headers', name).slice(1));
        const { required = false, schema } = found.value;
        return { name, required, media: found.value, schema: located(schema, found.pointer, 'schema') };
      }),
      content: Object.entries(response.content ?? {}).map(([type, media]: [string, MediaType]) => {
        const items = itemSchemaOf(type, media);
        return {
          type,
          media: media,
          schema: located(media.schema, pointer, 'content', type, 'schema'),
          itemSchema: items && located(items.schema, pointer, 'content', type, items.keyword),
        };
      }),
    };
  });
}

/** The response that declares a status: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
export const responseFor = (responses: readonly DeclaredResponse[], status: number): DeclaredResponse | undefined =>
  [String(status), `${String(status).slice(0, 1)}XX`, 'default']
    .map((name) => responses.find(({ key }) => key.toUpperCase() === name.toUpperCase()))
    .find((found) => found !== undefined);

/** The status that an operation answers with if all is well: the first 2xx, else the first 3xx, else `default` as 200, else the first. */
export function successStatus(responses: readonly DeclaredResponse[]): number {
  const keys = responses.map(({ key }) => key);
  const orders = [/^2\d\d$/, /^2XX$/i, /^3\d\d$/, /^3XX$/i, /^default$/, /./];
  const key = orders.map((order) => keys.find((one) => order.test(one))).find((found) => found !== undefined) ?? 'default';
  return key === 'default' ? 200 : Number(key.replace(/XX$/i, '00'));
}

/** The request header `Prefer` (RFC 7240), by which a client chooses what a mock answers with. */
export interface Preferences {
  readonly code?: number;
  readonly example?: string;
  /** Whether values are generated where there are examples. */
  readonly dynamic?: boolean;
  /** How long the answer waits, in ms. */
  readonly delay?: number;
}

/** What is wrong with a preference: sent to the client. */
export class PreferError extends Error {}

/** A second above what a request may take on the servers of most, and below the deadline of a mock. */
export const MAX_DELAY_MS = 10_000;

/** One preference with its value, up to its parameters, which mean nothing here. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:("(?:[^"\\]|\\.)*"|[^\s;,"]+)\s*)?)?(?:;.*)?$/;

/**
 * Reads a field, or several that were joined. Of a preference that is given twice the first counts, and those that are not known are
 * ignored (RFC 7240, section 2).
 *
 * @throws PreferError for a value that cannot be used.
 */
export function parsePrefer(field: string | readonly string[] | undefined): Preferences {
  const texts = [field ?? []].flat().flatMap((one) => one.match(/(?:[^",]|"(?:[^"\\]|\\.)*")+/g) ?? []);
  const given = new Map<string, string>();
  for (const text of texts) {
    const [, name = '', value = ''] = PREFERENCE.exec(text) ?? [];
    const unquoted = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
    if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), unquoted);
  }
  const [code, example, dynamic, delay] = ['code', 'example', 'dynamic', 'delay'].map((name) => given.get(name) || undefined);
  return {
    ...(code !== undefined && { code: wholeNumber('code', code, 100, 599) }),
    ...(example !== undefined && { example }),
    ...(dynamic !== undefined && { dynamic: trueOrFalse('dynamic', dynamic) }),
    ...(delay !== undefined && { delay: wholeNumber('delay', delay, 0, MAX_DELAY_MS) }),
  };
}

function wholeNumber(name: string, text: string, low: number, high: number): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < low || Number(text) > high)
    throw new PreferError(`header/Prefer: ${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return Number(text);
}

function trueOrFalse(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new PreferError(`header/Prefer: ${name} must be true or false, not ${text}`);
  return text === 'true';
}
