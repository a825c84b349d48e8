/** Measures rows of the table, and prints lines of JSON (measure-in-processes.ts). Arguments: the first row, or `heap`, and the number of rows. */
import { ALL_MODULES } from '../../src/all-modules.ts';
import { createRequestValidator, type IncomingRequest } from '../../src/requests/request-validator.ts';
import { createSchemaCompiler } from '../../src/schema/model-of.ts';
import { parseStrictJson } from '../../src/codec/strict-json.ts';
import { operationDocument, operationOf, responseValidator } from '../support/contract.ts';
import { MAX_GROWTH, measureGrowth, SIZES, type Growth } from '../support/growth.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { HEAP, heapLine, type MeasuredLine } from '../support/measure-in-processes.ts';
import { ROWS, type Row } from './rows.ts';

type Verdict = (request: Partial<IncomingRequest>) => unknown;

function verdictOf({ schema, operation, schemas = {}, isResponse }: Row): Verdict {
  const content = { 'application/json': { schema } };
  const path = JSON.stringify(operation ?? {}).includes('"in":"path"') ? '/things/{v}' : '/things';
  const given = operation ?? (isResponse === true ? { responses: { 200: { description: 'ok', content } } } : { requestBody: { content } });
  const document = { ...operationDocument({ method: 'post', path, ...given }), openapi: '3.1.0', components: { schemas } };
  if (isResponse === true) {
    const validate = responseValidator(document);
    return ({ body }) => validate({ status: 200, headers: {}, body, type: 'application/json' });
  }
  const validate = createRequestValidator(document, ALL_MODULES, createSchemaCompiler(document, 'request'), operationOf(document, 'op'));
  return (request) => validate({ path: {}, headers: {}, search: '', body: undefined, type: undefined, ...request });
}

function* measurementsOf(row: Row): Generator<readonly [value: string, growth: Growth]> {
  const validate = verdictOf(row);
  const { sizes = SIZES } = row;
  for (const [value, make] of Object.entries(row.requests ?? {})) yield [value, measureGrowth(make, validate, sizes)];
  if (row.requests !== undefined) return;
  const judge = (text: string) => {
    const { value, problem } = parseStrictJson(text, () => false);
    return problem ?? validate({ type: 'application/json', body: value });
  };
  for (const [value, make] of Object.entries(row.texts ?? HOSTILE_TEXTS)) yield [value, measureGrowth(make, judge, sizes)];
}

const print = (line: object): void => console.log(JSON.stringify(line));
const [first = HEAP, count = ROWS.length] = process.argv.slice(2);
if (first === HEAP) {
  // What the first verdict loads is no part of the others.
  for (const row of ROWS.slice(0, 1)) Array.from(measurementsOf({ ...row, sizes: [1] }));
  print(heapLine());
} else
  for (const row of ROWS.slice(Number(first), Number(first) + Number(count))) {
    print({ name: row.name, isStarted: true } satisfies MeasuredLine);
    const slow = [...measurementsOf(row)].filter(([, { factor }]) => factor > MAX_GROWTH);
    print({ name: row.name, slow: slow.map(([value, growth]) => ({ value, growth })) } satisfies MeasuredLine);
  }
