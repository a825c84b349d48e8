/** Measures rows of the table in a process whose heap is limited, and prints a line of JSON for each. Arguments: the first row and the number of rows. */
import { createRequestValidator, type IncomingRequest } from '../../src/requests/request-validator.ts';
import { createSchemaCompiler } from '../../src/schema/schema-compiler.ts';
import { parseStrictJson } from '../../src/codec/strict-json.ts';
import { operationDocument, operationOf } from '../support/contract.ts';
import { MAX_GROWTH, measureGrowth, SIZES, type Growth } from './growth.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { ROWS, type Row } from './rows.ts';

export interface MeasuredRow {
  readonly name: string;
  /** Of the values that take the longest. */
  readonly slow: readonly { readonly value: string; readonly growth: Growth }[];
}

type Verdict = (request: Partial<IncomingRequest>) => unknown;

function verdictOf({ schema, operation, schemas = {} }: Row): Verdict {
  const body = { requestBody: { content: { 'application/json': { schema } } } };
  const path = JSON.stringify(operation ?? {}).includes('"in":"path"') ? '/things/{v}' : '/things';
  const document = { ...operationDocument({ method: 'post', path, ...(operation ?? body) }), openapi: '3.1.0', components: { schemas } };
  const validate = createRequestValidator(document, createSchemaCompiler(document, 'request'), operationOf(document, 'op'));
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

const [first = 0, count = ROWS.length] = process.argv.slice(2).map(Number);
for (const row of ROWS.slice(first, first + count)) {
  console.log(JSON.stringify({ name: row.name, isStarted: true }));
  const slow = [...measurementsOf(row)].filter(([, { factor }]) => factor > MAX_GROWTH);
  console.log(JSON.stringify({ name: row.name, slow: slow.map(([value, growth]) => ({ value, growth })) } satisfies MeasuredRow));
}
