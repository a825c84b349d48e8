/** The components that new operations share: those of the document where they fit, else new ones. */
import {
  declaredDefault,
  formatOf,
  isObject,
  limitsOf,
  patternOf,
  typeOf,
  valuesOf,
  type Document,
  type Header,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import type { SchemaSource } from '../resource.ts';

type Component = Schema | Parameter | Header | Response;
type Section = 'schemas' | 'parameters' | 'headers' | 'responses';

export class Components {
  readonly added: Record<Section, Record<string, Component>> = { parameters: {}, headers: {}, responses: {}, schemas: {} };
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  document(): Document {
    const { components } = this.#document;
    return {
      ...this.#document,
      components: { ...components, schemas: { ...components?.schemas, ...(this.added.schemas as Record<string, Schema>) } },
    };
  }

  find(section: Section, name: string): Component | undefined {
    const declared = this.#document.components?.[section];
    return this.added[section][name] ?? (isObject(declared) ? (declared as Record<string, Component>)[name] : undefined);
  }

  /** The component of this name if it fits, else a new one, under another name if this one is taken. By default the same fits. */
  use<T extends Component>(section: Section, name: string, value: T, fits = (existing: T) => isSame(existing, value)): Reference {
    for (let i = 1; ; i++) {
      const candidate = i === 1 ? name : `${name}${i}`;
      const existing = this.find(section, candidate);
      if (existing === undefined) this.added[section][candidate] = value;
      if (existing === undefined || fits(existing as T)) return { $ref: `#/components/${section}/${candidate}` };
    }
  }
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a schema admits a text, as far as its own keywords say. */
export function admits(schema: Schema, text: string): boolean {
  if (typeOf(schema) !== 'string' || formatOf(schema) !== undefined || valuesOf(schema) !== undefined) return false;
  const { minLength = 0, maxLength = Infinity } = limitsOf(schema);
  return minLength <= text.length && maxLength >= text.length && new RegExp(patternOf(schema) ?? '', 'u').test(text);
}

const MAX_ID = 9007199254740991;

export const ID: SchemaSource = {
  description: 'An identifier: a whole number from 1 to 9007199254740991, the largest that every JSON reader keeps exactly.',
  type: 'integer',
  format: 'int64',
  minimum: 1,
  maximum: MAX_ID,
  example: 1,
};
export const isId = (schema: Schema): boolean => {
  const { minimum, maximum } = limitsOf(schema);
  return typeOf(schema) === 'integer' && minimum === 1 && maximum === MAX_ID;
};

/** A parameter with its schema as it is written. */
type ParameterSource = Omit<Parameter, 'schema'> & { readonly schema: SchemaSource } & Record<string, unknown>;

export const LIMIT: ParameterSource = {
  name: 'limit',
  in: 'query',
  description: 'How many records a page has at the most.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
  example: 20,
};
export const isLimit = (schema: Schema): boolean =>
  typeOf(schema) === 'integer' && typeof declaredDefault(schema) === 'number' && (limitsOf(schema).minimum ?? 0) >= 1;

export const CURSOR: ParameterSource = {
  name: 'cursor',
  in: 'query',
  description: 'Where the page starts. Take it from the `Link` header of the page before; its form may change.',
  schema: { type: 'string', maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' },
  example: 'djE6MjA',
};
export const isCursor = (schema: Schema): boolean => admits(schema, 'djE6OTAwNzE5OTI1NDc0MDk5MQ');

const ETAGS: SchemaSource = {
  type: 'string',
  maxLength: 1000,
  pattern: '^(\\*|(W/)?"[!#-~]*"([ \\t]*,[ \\t]*(W/)?"[!#-~]*")*)$',
};
export const IF_MATCH: ParameterSource = {
  name: 'If-Match',
  in: 'header',
  description: "Act only if the record's `ETag` is one of these (`*` for any).",
  schema: ETAGS,
  example: '"1"',
};
export const IF_NONE_MATCH: ParameterSource = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Answer with the record only if its `ETag` is none of these.',
  schema: ETAGS,
  example: '"1"',
};
export const isETags = (schema: Schema): boolean => admits(schema, '*') && admits(schema, '"12"');

/** The headers of responses, each with its schema and whether a value of ours fits. */
export const HEADERS: Readonly<
  Record<'ETag' | 'Location' | 'Link', { name: string; value: Header & { schema: SchemaSource } & Record<string, unknown>; sample: string }>
> = {
  ETag: {
    name: 'ETag',
    sample: '"1"',
    value: {
      description: 'The version of the record (RFC 9110, section 8.8.3).',
      required: true,
      schema: { type: 'string', maxLength: 100, pattern: '^"[!#-~]+"$', example: '"1"' },
    },
  },
  Location: {
    name: 'Location',
    sample: '/records/1',
    value: {
      description: 'Where the new record is read.',
      required: true,
      schema: { type: 'string', maxLength: 2000, pattern: '^/[!-~]*$', example: '/records/1' },
    },
  },
  Link: {
    name: 'NextLink',
    sample: '</records?limit=20&cursor=djE6MjA>; rel="next"',
    value: {
      description: 'The next page (`rel="next"`, RFC 8288). Absent on the last page.',
      schema: {
        type: 'string',
        maxLength: 4000,
        pattern: '^<[!-;=?-~]+>; rel="next"$',
        example: '</records?limit=20&cursor=djE6MjA>; rel="next"',
      },
    },
  },
};

/** The body of errors in a document that has none. */
export const ERROR: SchemaSource = {
  description: 'What went wrong.',
  type: 'object',
  additionalProperties: false,
  required: ['code', 'message', 'status'],
  properties: {
    code: { description: 'What went wrong, for programs.', type: 'string', maxLength: 100, pattern: '^[a-z_]+$', example: 'not_found' },
    message: {
      description: 'What went wrong, for people. Names every problem with its place.',
      type: 'string',
      minLength: 1,
      maxLength: 5000,
      pattern: '^[^\\x00]*$',
      example: 'there is no record 7',
    },
    status: { description: 'The HTTP status code.', type: 'integer', format: 'int32', minimum: 400, maximum: 599, example: 404 },
  },
  example: { code: 'not_found', message: 'there is no record 7', status: 404 },
};

/** The errors that operations of a record answer with: the name of their component, and what they mean. */
export const ERROR_RESPONSES: Readonly<Record<string, readonly [name: string, description: string]>> = {
  '400': ['BadRequest', 'The request breaks the contract. The message names every problem with its place.'],
  '401': ['Unauthorized', 'The credentials are missing or not valid.'],
  '404': ['NotFound', 'There is no such record.'],
  '409': ['Conflict', 'Other records refer to the record, or a request with the same key is under way.'],
  '412': ['PreconditionFailed', 'The record is not of a version that `If-Match` names. Nothing was done.'],
};
