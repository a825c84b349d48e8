/** The headers of a response, for the types of a client and for its table. */
import {
  describesBigInteger,
  itemsOf,
  resolve,
  typeOf,
  type Document,
  type Header,
  type Response,
  type Schema,
} from '@specwright/contract/document';

export interface ResponseHeader {
  readonly required: boolean;
  /** How the runtime reads it. */
  readonly type: 'text' | 'number' | 'bigint' | 'boolean' | 'list' | 'numbers' | 'bigints' | 'json';
}

/** Most responses are references to a few. */
const known = new WeakMap<Response, ReadonlyMap<string, ResponseHeader>>();

export function responseHeaders(document: Document, response: Response): ReadonlyMap<string, ResponseHeader> {
  const headers =
    known.get(response) ??
    new Map(
      Object.entries(response.headers ?? {}).map(([name, reference]) => {
        const header = resolve<Header>(document, reference);
        return [name, { required: header.required === true, type: readAs(document, header) }];
      }),
    );
  known.set(response, headers);
  return headers;
}

function readAs(document: Document, { schema = {}, content }: Header): ResponseHeader['type'] {
  if (content !== undefined) return Object.keys(content).some((type) => /[/+]json/.test(type)) ? 'json' : 'text';
  if (describesBigInteger(document, schema)) return 'bigint';
  const resolved = resolve<Schema>(document, schema);
  const type = typeOf(resolved);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type !== 'array') return 'text';
  const items = itemsOf(resolved) ?? {};
  if (describesBigInteger(document, items)) return 'bigints';
  return ['integer', 'number'].includes(typeOf(resolve<Schema>(document, items)) ?? '') ? 'numbers' : 'list';
}
