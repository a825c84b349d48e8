/**
 * Schemas that refer twice to the one below them are read in time that is linear in the document. Whatever follows each reference takes twice
 * as long at each of the 24 levels.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkDocument, createSchemaCompiler, listUnsupported, parseSource, type Document } from '@specwright/contract/document';
import { compareSpecs } from 'openapi-compare';
import { generate } from '../../src/generate/generate.ts';
import { checkProjectRules } from '../../src/lint/rules/project-rules.ts';
import { createMockServer } from '../../src/mock/mock-server.ts';
import { propertyFacts } from '../../src/schema/property-facts.ts';
import { sampleRequest } from '../../src/testing/contract/values/sample.ts';
import { listVariants, requestSchemas } from '../../src/testing/contract/values/variants.ts';
import { createWitness } from '../../src/testing/contract/witnesses/witness.ts';
import { createTestLog, listenOnFreePort } from '../../src/testing/index.ts';

const LEVELS = 24;
const refTo = (level: number) => ({ $ref: `#/components/schemas/S${level}` });

/** The schema of a level, by what refers twice. */
const KINDS: Readonly<Record<string, (level: number) => object>> = {
  'one allOf': (level) => ({ allOf: [refTo(level - 1), refTo(level - 1)] }),
  'two parts of an allOf': (level) => ({
    allOf: [
      { allOf: [refTo(level - 1)], type: 'object', properties: { [`x${level}`]: { type: 'string' } } },
      { allOf: [refTo(level - 1)] },
    ],
  }),
  'two properties': (level) => ({ type: 'object', properties: { a: refTo(level - 1), b: refTo(level - 1) } }),
};

function documentOf(kind: string, maximum: number): Document {
  const schemas: Record<string, object> = {
    S0: { type: 'object', required: ['n'], properties: { n: { type: 'integer', maximum }, text: { type: 'string', default: 'x' } } },
  };
  for (let level = 1; level <= LEVELS; level++) schemas[`S${level}`] = KINDS[kind]?.(level) ?? {};
  const content = { 'application/json': { schema: refTo(LEVELS) } };
  return {
    openapi: '3.0.3',
    info: { title: 'Doubling', version: '1' },
    servers: [{ url: '/' }],
    paths: {
      '/things': {
        post: {
          operationId: 'addThing',
          requestBody: { required: true, content },
          responses: { 200: { description: 'ok', content }, default: { description: 'not ok' } },
        },
      },
    },
    components: { schemas },
  };
}
const sourceOf = (kind: string, maximum = 9) => parseSource('test.json', JSON.stringify(documentOf(kind, maximum), null, 1));
/** A value that has what the deepest schema requires, and one that has not. */
const VALUES = [{ n: 1 }, { n: 'x' }];

const WALKS: Readonly<Record<string, (kind: string) => unknown>> = {
  check: (kind) => checkDocument(sourceOf(kind)),
  unsupported: (kind) => listUnsupported(sourceOf(kind)),
  'lint rules': (kind) => checkProjectRules(sourceOf(kind), {}),
  'validation of requests': (kind) => {
    const validate = createSchemaCompiler(sourceOf(kind).document, 'request')(refTo(LEVELS).$ref);
    for (const value of VALUES) validate(structuredClone(value));
  },
  'validation of responses': (kind) => {
    const validate = createSchemaCompiler(sourceOf(kind).document, 'response', 'required')(refTo(LEVELS).$ref);
    for (const value of VALUES) validate(value);
  },
  'types and client': (kind) => generate(sourceOf(kind), { client: true }),
  'check-breaking': (kind) => compareSpecs(sourceOf(kind), sourceOf(kind, 8), new Date()),
  samples: async (kind) => {
    const witness = createWitness(sourceOf(kind).document);
    const operation = witness.operation('addThing');
    await sampleRequest(witness.document, operation);
    listVariants(witness.document, requestSchemas(witness.document, operation));
  },
  columns: (kind) => propertyFacts(sourceOf(kind).document, `S${LEVELS}`, 'nothing'),
  'mock and docs': async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'doubling-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(documentOf(kind, 9)));
    const { server } = await createMockServer(file, { log: createTestLog([]) });
    const mock = await listenOnFreePort(server);
    try {
      for (const value of VALUES) {
        const body = JSON.stringify(value);
        await fetch(`${mock.url}/things`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      }
      for (const path of ['/docs', '/openapi.json']) await (await fetch(mock.url + path)).text();
    } finally {
      await mock.close();
      rmSync(folder, { recursive: true });
    }
  },
};

describe.each(Object.keys(WALKS))('%s', (walk) => {
  // A mock sends all properties: such a value is as large as the tree is.
  const kinds = Object.keys(KINDS).filter((kind) => !(walk === 'mock and docs' && kind === 'two properties'));
  test.each(kinds)('%s', async (kind) => {
    const start = process.cpuUsage().user;
    await WALKS[walk]?.(kind);
    expect(process.cpuUsage().user - start).toBeLessThan(8e6);
  });
});
