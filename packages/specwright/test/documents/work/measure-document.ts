/**
 * Measures the verdicts of one document's requests and responses on values that are made to be expensive, and prints lines of JSON
 * (measure-in-processes.ts). Arguments: the first operation or `heap`, the document's file.
 */
import { type Contract, type ContractOperation, openContract, parseStrictJson } from '@specwright/contract';
import {
  type Document,
  listOperations,
  type MediaType,
  type Parameter,
  resolve,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { type Growth, MAX_GROWTH, measureGrowth } from '../../../../contract/test/support/growth.ts';
import { HOSTILE_TEXTS } from '../../../../contract/test/support/hostile-texts.ts';
import { HEAP, heapLine, type MeasuredLine } from '../../../../contract/test/support/measure-in-processes.ts';
import { type MakeText, valuesFor } from './document-values.ts';

const NO_PARTS = { path: {}, headers: {}, search: '', body: undefined, type: undefined };
/** A text of a parameter, by the name of the parameter. */
const TEXTS: Readonly<Record<string, (name: string) => MakeText>> = {
  digits: (name) => (bytes) => `${name}=${'1'.repeat(bytes)}`,
  'texts with @': (name) => (bytes) => `${name}=${'a@.'.repeat(bytes / 3)}`,
  commas: (name) => (bytes) => `${name}=${'a,'.repeat(bytes / 2)}`,
  'one name many times': (name) => (bytes) => `${name}=1&`.repeat(bytes / (name.length + 3)),
  brackets: (name) => (bytes) => `${name}[a]=1&`.repeat(bytes / (name.length + 6)),
};

/** What is the same in several operations is measured once. */
interface Seen {
  readonly requests: Set<Schema>;
  readonly responses: Set<Schema>;
  readonly parameters: Set<string>;
}

type Measurement = readonly [value: string, growth: Growth];

const isJson = (type: string): boolean => /[/+]json\b/.test(type);

function* textsOf(document: Document, content: Readonly<Record<string, MediaType>> | undefined, visited: Set<Schema>) {
  for (const [type, { schema }] of Object.entries(content ?? {})) {
    if (schema === undefined || !isJson(type)) continue;
    const isKnown = visited.has(resolve<Schema>(document, schema));
    const texts = [...(isKnown ? [] : Object.entries(HOSTILE_TEXTS)), ...valuesFor(document, schema, visited)];
    for (const [name, make] of texts) yield { type, name, make };
  }
}

function* measurementsOf(document: Document, operation: ContractOperation, seen: Seen): Generator<Measurement> {
  const { path, method } = operation;
  const found = listOperations(document).find(({ id }) => id === operation.id);
  if (found === undefined) return;
  Array.from(operation.prepare());
  const { requestBody, responses = {} } = found.operation as {
    readonly requestBody?: object;
    readonly responses?: Readonly<Record<string, Response>>;
  };
  const body = requestBody && resolve<{ readonly content?: Readonly<Record<string, MediaType>> }>(document, requestBody);
  for (const { type, name, make } of textsOf(document, body?.content, seen.requests))
    yield [
      `${method} ${path} ${type}: ${name}`,
      measureGrowth(make, (text) => {
        const { value, problem } = parseStrictJson(text, () => false);
        return problem ?? operation.validateRequest({ ...NO_PARTS, body: value, type });
      }),
    ];
  for (const [status, reference] of Object.entries(responses)) {
    const { content } = resolve<Response>(document, reference);
    for (const { type, name, make } of textsOf(document, content, seen.responses))
      yield [
        `${method} ${path} ${status} ${type}: ${name}`,
        measureGrowth(
          (bytes) => JSON.parse(make(bytes)) as unknown,
          (value) => operation.validateResponse({ status: Number(status) || 200, headers: {}, body: value, type }),
        ),
      ];
  }
  const parameters = [...(found.item.parameters ?? []), ...(found.operation.parameters ?? [])];
  for (const reference of parameters) {
    const { name, in: place, ...rest } = resolve<Parameter>(document, reference);
    const key = JSON.stringify([place, rest, place === 'path' ? path : '']);
    if (seen.parameters.has(key)) continue;
    seen.parameters.add(key);
    for (const [what, makeOf] of Object.entries(TEXTS)) {
      const make = makeOf(encodeURIComponent(name));
      const request = (bytes: number) => {
        const text = make(bytes);
        const value = text.slice(text.indexOf('=') + 1);
        if (place === 'query') return { ...NO_PARTS, search: text };
        if (place === 'path') return { ...NO_PARTS, path: { [name]: value } };
        return { ...NO_PARTS, headers: place === 'cookie' ? { cookie: text } : { [name.toLowerCase()]: value } };
      };
      yield [`${method} ${path} ${place} ${name}: ${what}`, measureGrowth(request, operation.validateRequest)];
    }
  }
}

const print = (line: object): void => console.log(JSON.stringify(line));
const [first = HEAP, file = ''] = process.argv.slice(2);
const contract: Contract = await openContract(file);
const seen: Seen = { requests: new Set(), responses: new Set(), parameters: new Set() };
if (first === HEAP) print(heapLine());
else
  for (const operation of contract.operations.slice(Number(first))) {
    print({ name: operation.id, isStarted: true } satisfies MeasuredLine);
    const slow = [...measurementsOf(contract.document, operation, seen)].filter(([, { factor }]) => factor > MAX_GROWTH);
    print({ name: operation.id, slow: slow.map(([value, growth]) => ({ value, growth })) } satisfies MeasuredLine);
  }
