/** Guesses from a contract what the body of its errors is, for a person to correct. */
import { listOperations, resolve, type Document, type Response, type Schema } from '@specwright/server';

export interface ErrorBody {
  readonly type: string;
  /** TypeScript: an expression of `error`, which has `code`, `message` and `status`. */
  readonly expression: string;
}

/** What properties of errors are usually called, the most telling first. */
const MESSAGE = ['message', 'detail', 'error_description', 'errorMessage', 'description', 'reason', 'msg', 'error', 'title'];
const CODE = ['code', 'error_code', 'errorCode', 'title', 'error', 'name'];
const STATUS = ['status', 'statusCode', 'status_code', 'code'];

/** Of the JSON bodies that error responses have, the most usual one. */
export function errorBodyOf(document: Document): ErrorBody {
  const found = new Map<string, { type: string; schema: Schema; times: number }>();
  for (const { operation } of listOperations(document)) {
    for (const [status, reference] of Object.entries(operation.responses)) {
      if (!/^([45]|default)/.test(status)) continue;
      for (const [type, { schema }] of Object.entries(resolve<Response>(document, reference).content ?? {})) {
        if (schema === undefined || !/^application\/([\w.+-]+\+)?json$/.test(type)) continue;
        const key = `${type} ${JSON.stringify(schema)}`;
        const known = found.get(key) ?? { type, schema, times: 0 };
        found.set(key, { ...known, times: known.times + 1 });
      }
    }
  }
  const [usual] = [...found.values()].sort((a, b) => b.times - a.times);
  const expression = usual && expressionOf(document, usual.schema, 2);
  return { type: usual?.type ?? 'application/json', expression: expression ?? 'error' };
}

/** An object with the properties that could be told; `undefined` if there is none for the message. */
function expressionOf(document: Document, schema: Schema, depth: number): string | undefined {
  const properties = propertiesOf(document, schema);
  const has = (names: readonly string[], ...types: unknown[]) =>
    names.find((name) => types.includes(properties[name]?.type) && properties[name]?.['enum'] === undefined);
  const message = has(MESSAGE, 'string');
  const fields = new Map<string, string>();
  const status = has(STATUS, 'integer', 'number');
  const code = has(CODE.filter((name) => name !== message), 'string'); // prettier-ignore
  if (message !== undefined) {
    fields.set(message, 'error.message');
    if (code !== undefined) fields.set(code, 'error.code');
    if (status !== undefined) fields.set(status, 'error.status');
  } else if (depth > 0) {
    for (const [name, property] of Object.entries(properties)) {
      const inner = expressionOf(document, property, depth - 1);
      if (inner !== undefined) fields.set(name, inner);
    }
  }
  if (fields.size === 0) return undefined;
  return `{ ${[...fields].map(([name, value]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${value}`).join(', ')} }`;
}

/** With those of `allOf`. */
function propertiesOf(document: Document, given: Schema, depth = 5): Record<string, Schema> {
  const { properties = {}, allOf = [] } = resolve<Schema>(document, given);
  const inherited = depth > 0 ? allOf.map((part) => propertiesOf(document, part, depth - 1)) : [];
  const own = Object.entries(properties).map(([name, property]) => [name, resolve<Schema>(document, property)] as const);
  return Object.assign({}, ...inherited, Object.fromEntries(own)) as Record<string, Schema>;
}
