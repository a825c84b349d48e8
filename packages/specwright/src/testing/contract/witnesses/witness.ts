/** A second opinion on responses: reads the document by itself and validates with Ajv alone, so that a bug of the server's validator is seen. */
import {
  type Document,
  type MediaType,
  type Schema,
  describesEvents,
  itemSchemaOf,
  modelOf,
  sequenceKind,
} from '@specwright/contract/document';
import { type Json, type Located, type SpecOperation, child, follow, listOperations, parseDocument } from '../document.ts';
import { type SchemaCheck, schemaCheckOf } from '../values/schema-check.ts';
import { viewSchema } from '../../../schema/schema-view.ts';
import type { SentRequest } from './second-judge.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What it answers, if a client of operations has sent it. */
  readonly request?: SentRequest;
}

export interface WitnessOptions {
  /** Headers that a response may have without declaring them, beside those of HTTP itself; `all`: any. */
  readonly undeclaredHeaders?: readonly string[] | 'all';
}

export interface Witness {
  /** The document as it was given. */
  readonly published: Json;
  /** Its model: schemas are JSON Schema 2020-12. */
  readonly document: Json;
  readonly operations: readonly SpecOperation[];
  /** @throws Error if the document has no such operation. */
  readonly operation: (id: string) => SpecOperation;
  /** Everything about a response of the operation that breaks the contract. */
  readonly problems: (id: string, response: HttpResponse) => string[];
  /** The same for a response that belongs to no operation: a JSON body of a schema in `components`. */
  readonly bodyProblems: (schemaName: string, response: HttpResponse) => string[];
  /** The same for a value of a request and the schema at a JSON pointer. */
  readonly valueProblems: (pointer: string, value: unknown) => string[];
}

interface DeclaredResponse {
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface DeclaredHeader {
  readonly required?: boolean;
  readonly schema?: Schema;
}

const HEADERS_OF_HTTP = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'cache-control',
  'content-encoding',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'accept-query',
  'x-accel-buffering',
  'vary',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
  'x-content-type-options',
];

/** @param source the document, or its text in YAML or JSON. @throws Error if it is no OpenAPI document. */
export const createWitness = (source: string | object, options: WitnessOptions = {}): Witness => new DocumentWitness(source, options);

/** Judges responses by one document. Its functions are properties: walks take single ones of them. */
class DocumentWitness implements Witness {
  readonly published: Witness['published'];
  readonly document: Json;
  readonly operations: Witness['operations'];
  readonly #check: SchemaCheck['problems'];
  readonly #undeclaredHeaders: readonly string[] | 'all';

  constructor(source: string | object, { undeclaredHeaders = [] }: WitnessOptions) {
    this.published = parseDocument(source);
    this.document = modelOf(this.published as unknown as Document) as unknown as Json;
    this.operations = listOperations(this.document);
    this.#check = schemaCheckOf(this.document, 'response').problems;
    this.#undeclaredHeaders = undeclaredHeaders;
  }

  readonly operation = (id: string): SpecOperation => {
    const found = this.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`the document has no operation ${id}`);
    return found;
  };

  readonly problems = (id: string, response: HttpResponse): string[] => {
    const declared = this.operations.find((operation) => operation.id === id)?.responses;
    const key = declared && statusKey(Object.keys(declared.value), response.status);
    if (declared === undefined || key === undefined) return [`status ${response.status} is not declared`];
    const located = follow<DeclaredResponse>(this.document, declared.value[key], child(declared.pointer, key));
    return [...this.#checkHeaders(located, response.headers), ...this.#checkBody(located, response)];
  };

  readonly bodyProblems = (schemaName: string, { status, headers, text }: HttpResponse): string[] => {
    const type = headers.get('content-type');
    if (type !== 'application/json') return [`media type is ${String(type)}, not application/json`];
    return this.#checkJson(child('#', 'components', 'schemas', schemaName), status, text);
  };

  readonly valueProblems = (pointer: string, value: unknown): string[] => {
    return schemaCheckOf(this.document, 'request').problems(pointer, value);
  };

  #checkBody({ value, pointer }: Located<DeclaredResponse>, { status, headers, text }: HttpResponse): string[] {
    const type = headers.get('content-type');
    const { content = {} } = value;
    if (isEmpty(content, status))
      return text === '' && type === null ? [] : [`body is not declared, but there is one of type ${String(type)}`];
    const declared = declaredType(Object.keys(content), type ?? '');
    if (declared === undefined) return [`media type ${String(type)} is not declared`];
    // Of what was decoded, or is no text, the length of the text is another.
    const isText = !headers.has('content-encoding') && /^text\/|[/+]json\b/i.test(type ?? '');
    if (isText && headers.has('content-length') && Number(headers.get('content-length')) !== Buffer.byteLength(text))
      return ['header Content-Length is not the length of the body'];
    if (itemSchemaOf(declared, content[declared] ?? {}) !== undefined)
      return this.#checkItems(child(pointer, 'content', declared), declared, content[declared] ?? {}, text);
    if (!/[/+]json\b/i.test(type ?? '') || content[declared]?.schema === undefined) return [];
    return this.#checkJson(child(pointer, 'content', declared, 'schema'), status, text);
  }

  #checkItems(pointer: string, type: string, media: MediaType, text: string): string[] {
    const { keyword, schema } = itemSchemaOf(type, media) as { keyword: string; schema: Schema };
    const model = this.document as unknown as Document;
    const isEvent = describesEvents(model, schema);
    const isTextData = !isEvent && viewSchema(this.document, [{ value: schema, pointer: child(pointer, keyword) }]).type === 'string';
    const items =
      sequenceKind(type) === 'events'
        ? receivedEvents(text, isTextData).map(({ data, event }) => (isEvent ? event : data))
        : receivedLines(text);
    return items.flatMap((item, i) => this.#check(child(pointer, keyword), item, `item ${i}`));
  }

  #checkJson(schema: string, status: number, text: string): string[] {
    const body: unknown = JSON.parse(text);
    const told = (body as { status?: unknown } | null)?.status;
    // An error body that repeats the status, as RFC 9457 has it, must repeat the right one.
    const wrong = status >= 400 && typeof told === 'number' && told !== status ? [`body/status is ${told}, the status is ${status}`] : [];
    return [...this.#check(schema, body, 'body'), ...wrong];
  }

  #checkHeaders({ value, pointer }: Located<DeclaredResponse>, headers: Headers): string[] {
    const declared = Object.entries(value.headers ?? {});
    const allowed = [
      ...HEADERS_OF_HTTP,
      ...(this.#undeclaredHeaders === 'all' ? [] : this.#undeclaredHeaders),
      ...declared.map(([name]) => name),
    ];
    const lower = allowed.map((name) => name.toLowerCase());
    const undeclared = this.#undeclaredHeaders === 'all' ? [] : [...headers.keys()].filter((name) => !lower.includes(name));
    const wrong = declared.flatMap(([name, reference]) => {
      const header = follow<DeclaredHeader>(this.document, reference, child(pointer, 'headers', name));
      const given = headers.get(name);
      if (given === null) return header.value.required ? [`header ${name} is required`] : [];
      if (header.value.schema === undefined) return [];
      const schema = child(header.pointer, 'schema');
      const { type } = viewSchema(this.document, [{ value: header.value.schema, pointer: schema }]);
      return this.#check(schema, type === 'integer' || type === 'number' ? Number(given) : given, `header ${name}`);
    });
    return [...undeclared.map((name) => `header ${name} is not declared`), ...wrong];
  }
}

const isEmpty = (content: object, status: number): boolean => Object.keys(content).length === 0 || status === 204 || status === 304;

/** The key of `responses` that a status belongs to: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
export function statusKey(keys: readonly string[], status: number): string | undefined {
  return [String(status), `${String(status).slice(0, 1)}XX`, 'default'].find((key) => keys.includes(key));
}

/** The declared media type that a Content-Type belongs to: itself, else its range. */
function declaredType(declared: readonly string[], given: string): string | undefined {
  const essence = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase();
  const wanted = [essence(given), `${essence(given).split('/')[0] ?? ''}/*`, '*/*'];
  return wanted.map((type) => declared.find((name) => essence(name) === type)).find((name) => name !== undefined);
}

/** Events that only say when to come back have no data, and are no items; nor is the end of a stream that failed. */
function receivedEvents(text: string, isText: boolean) {
  return text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
    const field = (name: string) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
    const data = field('data').join('\n');
    if (field('data').length === 0) return [];
    const value = isText ? data : jsonOrText(data);
    const [[event], [id], [retry]] = [field('event'), field('id'), field('retry')];
    const named = {
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry: Number(retry) }),
    };
    return [{ data: value, event: { ...named, data: value } }];
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const receivedLines = (text: string): unknown[] =>
  text
    .split('\n')
    .map((line) => line.replace('\x1E', ''))
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
