/** Each field of a compiled contract is compared, or it is said why it need not be. */
import { expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, type ContractOperation, type FileRule, type MultipartParts, openContract } from '@specwright/contract';
import { FACTS, PARTS } from '../src/compare/rule-conditions.ts';

/** The facts and the parts that tell of it, `kind fact` and `kind +`; or why none has to. */
type Entry = readonly string[] | { readonly none: string };

const none = (reason: string): Entry => ({ none: reason });

const CONTRACT: Readonly<Record<keyof Contract, Entry>> = {
  types: none('It exists for the compiler alone.'),
  file: none('Clients do not see it.'),
  title: none('It is for people.'),
  version: none('It is for people.'),
  operations: ['operation +'],
  omitted: none('Clients do not see them.'),
  schemas: none('They validate values of this process.'),
  outgoing: ['operation +', 'body +', 'response +', 'header +'],
  published: none('It is the text of what `document` means.'),
  document: ['schema type', 'schema values', 'document servers', 'scheme *'],
  toYaml: none('It is the text of what `document` means.'),
  dates: none('Texts are the same on the wire.'),
  rateLimitPlans: ['limits +', 'plan +', 'operationLimit +', 'quota custom', 'quota *'],
  errorBody: ['response +', 'schema type'],
  compileAhead: none('When schemas are compiled changes no answer.'),
};

const OPERATION: Readonly<Record<keyof ContractOperation, Entry>> = {
  id: ['operation name of the function'],
  method: ['operation +'],
  path: ['operation +'],
  security: ['operation security'],
  scopes: ['operation security'],
  requirements: ['operation security', 'scheme *'],
  stability: ['operation x-stability'],
  deprecation: ['operation deprecated', 'operation x-deprecated-sunset'],
  cost: ['operation x-rate-limit-cost'],
  defaults: ['schema default'],
  body: ['body +', 'body required', 'media +'],
  responses: ['response +', 'media +', 'header +', 'header required'],
  basePaths: ['operation servers', 'document servers'],
  headerParameters: ['parameter +'],
  acceptsIdempotencyKey: ['parameter +'],
  bodyLimit: ['body x-body-limit'],
  hasItems: ['items +'],
  itemTypes: ['items +', 'media +'],
  itemsOf: ['items +', 'schema type'],
  streamLengths: ['schema maxLength', 'schema minLength'],
  multipart: ['property +', 'schema x-max-bytes', 'media contentType'],
  errorBody: ['response +', 'schema type'],
  refusalStatuses: ['response +'],
  validateRequest: ['parameter +', 'parameter required', 'parameter *', 'schema type', 'media *'],
  validateResponse: ['response +', 'schema type', 'header *'],
  validateContent: ['response +', 'schema type'],
  isBigIntegerAt: ['schema x-int64'],
  schemas: none('They are compiled for the validators.'),
  prepare: none('When schemas are compiled changes no answer.'),
};

const MULTIPART: Readonly<Record<keyof MultipartParts, Entry>> = {
  fields: ['schema type', 'property +'],
  files: ['property +', 'schema x-max-bytes'],
  requiredFields: ['schema required'],
  isSpooled: none('Where files wait for the handler changes no answer.'),
};

const FILE: Readonly<Record<keyof FileRule, Entry>> = {
  isList: ['schema type'],
  minCount: ['schema required', 'schema minItems'],
  maxCount: ['schema maxItems'],
  minBytes: ['schema minLength'],
  maxBytes: ['schema x-max-bytes', 'schema maxLength'],
  types: ['media contentType'],
};

const SPEC = {
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: {
          content: { 'multipart/form-data': { schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } } },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};

const isTold = (entry: Entry): boolean =>
  'none' in entry
    ? entry.none.length > 10
    : entry.every((name) => {
        const [, kind = '', fact = ''] = /^(\S+) (.+)$/.exec(name) ?? [];
        const tables = [FACTS, PARTS] as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>[];
        const [facts, parts] = tables.map((table) => table[kind]);
        const rules = fact === '+' ? [parts?.['added'], parts?.['removed']] : [facts?.[fact]];
        return fact === '+' && kind === 'operation' ? true : rules.some((rule) => typeof rule === 'object');
      });

test.each([
  ['the contract', CONTRACT, () => contract],
  ['an operation', OPERATION, () => contract.operations[0]],
  ['a multipart body', MULTIPART, () => contract.operations[0]?.multipart],
  ['its files', FILE, () => contract.operations[0]?.multipart?.files.get('file')],
])('each field of %s has a rule, or a reason why it needs none', (_what, table: object, compiled) => {
  const entries = table as Readonly<Record<string, Entry>>;
  expect(Object.keys(compiled() ?? {}).filter((field) => entries[field] === undefined)).toEqual([]);
  expect(Object.entries(entries).filter(([, entry]) => !isTold(entry))).toEqual([]);
});

const file = join(mkdtempSync(join(tmpdir(), 'compared-')), 'spec.json');
writeFileSync(file, JSON.stringify(SPEC));
const contract = await openContract(file);
