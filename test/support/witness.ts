/** A witness of its own: reads the document with nothing of src/, and holds responses against it with Ajv alone. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** A JSON object of the document whose `$ref`s are replaced by what they refer to. */
type Node = Record<string, unknown>;

export interface SpecParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly example: unknown;
}

export interface SpecOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly secured: boolean;
  readonly deprecated: boolean;
  /** What it weighs against the rate limits. */
  readonly cost: number;
  readonly parameters: readonly SpecParameter[];
  /** The example of its body and the media types that it may have. */
  readonly body: { readonly example: unknown; readonly types: readonly string[] } | undefined;
  readonly statuses: readonly number[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Witness {
  readonly operations: readonly SpecOperation[];
  /** @throws Error if the document has no such operation. */
  readonly operation: (id: string) => SpecOperation;
  /** Everything about an answer of the operation that breaks the contract. */
  readonly problems: (id: string, answer: Answer) => string[];
  /** The same for an answer that belongs to no operation: it has to be an `Error`. */
  readonly errorProblems: (answer: Answer) => string[];
}

const SPEC = new URL('../../spec/petstore.yaml', import.meta.url);
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const OF_HTTP = ['connection', 'content-length', 'content-type', 'date', 'keep-alive'];

/** The text of the document that the service serves. */
export const specText = (): string => readFileSync(SPEC, 'utf8');

export function createWitness(yaml = specText()): Witness {
  const document = parse(yaml) as Node;
  const at = (reference: string) =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as Node)[key], document);
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') return inline(at($ref));
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inline(child)]));
  };
  const whole = inline(document) as { paths: Record<string, Node>; security: unknown[]; components: { schemas: Record<string, Node> } };

  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv, { mode: 'full' });
  for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });
  const compiled = new Map<unknown, ValidateFunction>();
  const check = (schema: Node, value: unknown, place: string): string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${place}${instancePath} ${message ?? ''}`);
  };

  const responses = new Map<string, Record<string, Node>>();
  const operations = Object.entries(whole.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method): SpecOperation => {
      const operation = item[method] as Node & { operationId: string; responses: Record<string, Node> };
      responses.set(operation.operationId, operation.responses);
      const content = (operation['requestBody'] as { content: Record<string, { example: unknown }> } | undefined)?.content;
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        secured: ((operation['security'] ?? whole.security) as unknown[]).length > 0,
        deprecated: operation['deprecated'] === true,
        cost: (operation['x-rate-limit-cost'] as number | undefined) ?? 1,
        parameters: [...((item['parameters'] ?? []) as SpecParameter[]), ...((operation['parameters'] ?? []) as SpecParameter[])],
        body: content && { example: Object.values(content)[0]?.example, types: Object.keys(content) },
        statuses: Object.keys(operation.responses).map(Number),
      };
    }),
  );

  function bodyProblems(content: Record<string, { schema: Node }> | undefined, { status, headers, text }: Answer): string[] {
    const type = headers.get('content-type');
    if (content === undefined) return text === '' && type === null ? [] : [`body is not declared, but there is one of ${String(type)}`];
    const schema = content[type ?? '']?.schema;
    if (schema === undefined) return [`media type ${String(type)} is not declared`];
    if (Number(headers.get('content-length')) !== Buffer.byteLength(text)) return ['header Content-Length is not the length of the body'];
    const value: unknown = JSON.parse(text);
    const told = status >= 400 ? (value as { status?: unknown }).status : status;
    return [...check(schema, value, 'body'), ...(told === status ? [] : [`body/status is ${String(told)}, the status is ${status}`])];
  }

  function headerProblems(declared: Record<string, { required?: boolean; schema: Node }>, headers: Headers): string[] {
    const names = [...OF_HTTP, ...Object.keys(declared).map((name) => name.toLowerCase())];
    const undeclared = [...headers.keys()].filter((name) => !names.includes(name)).map((name) => `header ${name} is not declared`);
    const broken = Object.entries(declared).flatMap(([name, { required, schema }]) => {
      const value = headers.get(name);
      if (value === null) return required ? [`header ${name} is required`] : [];
      return check(schema, schema['type'] === 'integer' ? Number(value) : value, `header ${name}`);
    });
    return [...undeclared, ...broken];
  }

  return {
    operations,
    operation(id) {
      const found = operations.find((operation) => operation.id === id);
      if (found === undefined) throw new Error(`the document has no operation ${id}`);
      return found;
    },
    problems(id, answer) {
      const response = responses.get(id)?.[answer.status];
      if (response === undefined) return [`status ${answer.status} is not declared`];
      const { content, headers = {} } = response as {
        content?: Record<string, { schema: Node }>;
        headers?: Record<string, { schema: Node }>;
      };
      return [...headerProblems(headers, answer.headers), ...bodyProblems(content, answer)];
    },
    errorProblems(answer) {
      return bodyProblems({ 'application/json': { schema: whole.components.schemas['Error'] as Node } }, answer);
    },
  };
}
