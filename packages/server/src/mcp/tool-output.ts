/** What a tool answers: the JSON of its operation's success, as an object, and the arguments of the next page of a list. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJson, remember } from '@specwright/contract';
import type { OperationResponse } from '../tools/tool-server.ts';
import {
  branchesOf,
  isNullable,
  isObject,
  jsonContentOf,
  resolve,
  typeOf,
  type Document,
  type DocumentOperation,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { ToolSchemas } from './tool-schema.ts';
import type { ToolArguments } from './tool-arguments.ts';

export interface ToolOutput {
  /** JSON Schema of an object; `undefined` if the successes of the operation have not one schema. */
  readonly schema: { readonly type: 'object'; readonly [keyword: string]: unknown } | undefined;
  readonly toResult: (response: OperationResponse) => CallToolResult;
}

/** Clients of before 2026 take objects only: a list is `{ items }`, and any other value `{ value }`. */
type Form = 'object' | 'items' | 'value';

const NEXT = {
  type: 'object',
  description: 'There are more items: call the tool again with the same arguments and these. It is absent on the last page.',
};

export function createOutput(document: Document, operation: DocumentOperation, { ofQuery }: Pick<ToolArguments, 'ofQuery'>): ToolOutput {
  const declared = successSchema(document, operation);
  const form = declared && formOf(document, declared);
  return {
    schema: declared && form && writeSchema(document, declared, form),
    toResult(response) {
      const facts = factsOf(response);
      const text = (main: string): CallToolResult['content'] => [main, ...facts].map((each) => ({ type: 'text', text: each }));
      if (response.text === '') return { content: text(`done: ${response.status}`) };
      if (!isJson(response.headers['content-type'] ?? '')) return { content: text(response.text) };
      const value = JSON.parse(response.text) as unknown;
      const property = form === 'value' ? form : Array.isArray(value) ? 'items' : undefined;
      if (property === undefined) return { content: text(response.text), ...(isObject(value) && { structuredContent: value }) };
      const { next } = property === 'items' ? nextPage(response, ofQuery) : {};
      // As the operation has written it: what was parsed may have rounded integers.
      const written = `{"${property}":${response.text}${next === undefined ? '' : `,"next":${JSON.stringify(next)}`}}`;
      return { content: text(written), structuredContent: { [property]: value, ...(next && { next }) } };
    },
  };
}

function successSchema(document: Document, { operation }: DocumentOperation): Schema | undefined {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const schemas = successes.map(([, reference]) => jsonContentOf(resolve<Response>(document, reference).content)?.[1].schema);
  const distinct = new Set(schemas.map((schema) => schema && JSON.stringify(schema)));
  return distinct.size === 1 ? schemas[0] : undefined;
}

function formOf(document: Document, given: Schema): Form {
  const schema = resolve<Schema>(document, given);
  if (isNullable(document, schema)) return 'value';
  if (typeOf(schema) === 'array') return 'items';
  return isObjectSchema(document, schema) ? 'object' : 'value';
}

/** No schema is a part of itself here: `checkDocument` refuses it. Each is looked at once, on however many paths it is reached. */
function isObjectSchema(document: Document, given: Schema): boolean {
  const is: (part: Schema) => boolean = remember((reference) => {
    const schema = resolve<Schema>(document, reference);
    if (typeOf(schema) !== undefined) return typeOf(schema) === 'object';
    const { allOf, oneOf, anyOf } = branchesOf(schema);
    return allOf.some(is) || [oneOf, anyOf].some((parts) => parts.length > 0 && parts.every(is));
  });
  return is(given);
}

function writeSchema(document: Document, declared: Schema, form: Form): ToolOutput['schema'] {
  const schemas = new ToolSchemas(document, 'response');
  const written = schemas.write(declared, true);
  if (form === 'object') return { ...written, type: 'object', ...schemas.definitions };
  const properties = form === 'items' ? { items: written, next: NEXT } : { value: written };
  return { type: 'object', properties, required: [form === 'items' ? 'items' : 'value'], ...schemas.definitions };
}

/** What of the next page's address are arguments (RFC 8288). */
function nextPage({ headers: { link } }: OperationResponse, ofQuery: ToolArguments['ofQuery']): { next?: Record<string, unknown> } {
  const target = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/.exec(String(link ?? ''))?.[1];
  const query = target?.split('?')[1]?.split('#')[0];
  if (query === undefined) return {};
  const next: Record<string, unknown> = {};
  const names = [...new URLSearchParams(query).keys()];
  for (const [name, value] of new URLSearchParams(query)) {
    // What is given several times is a filter, which the call has already.
    if (names.indexOf(name) !== names.lastIndexOf(name)) continue;
    const [argument, given] = ofQuery(name, value) ?? [];
    if (argument !== undefined) next[argument] = given;
  }
  return { next };
}

/** Headers that a later call may need: a version to be sent as `If-Match`, and where something was made. */
const factsOf = ({ headers: { etag, location } }: OperationResponse): string[] => [
  ...(etag === undefined ? [] : [`ETag: ${etag}`]),
  ...(location === undefined ? [] : [`Location: ${location}`]),
];
