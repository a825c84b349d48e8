/** The body of a mock's response: an example of the contract, or a generated value, in the form that its media type has. */
import { Readable } from 'node:stream';
import { bodyKind } from '@specwright/contract/document';
import { exampleValues } from '../testing/contract/values/values.ts';
import { NoValueError } from '../testing/contract/values/build-options.ts';
import { textOf } from '../testing/contract/values/text-of.ts';
import type { Json } from '../testing/contract/document.ts';
import type { DeclaredMedia } from './declared-responses.ts';
import type { MockValues } from './mock-values.ts';
import { PreferError } from './prefer.ts';

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
    return Buffer.from(typeof value === 'string' ? value : textOf(value));
  } catch (error) {
    if (!(error instanceof NoValueError)) throw error;
    return Buffer.from('mock');
  }
}
