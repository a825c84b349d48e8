/** Documents with inheritance as FastAPI, springdoc and NSwag write it: a server of each is green, and a second validator agrees with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { checkDocument, listUnsupported, operationTable, readDocument } from '@specwright/contract/document';
import { createServer, loadContract } from '@specwright/server';
import { createOperationClient, createTestLog, createWitness, listenOnFreePort, testOperations, withApp } from 'specwright/testing';
import { createRuleContext } from '../../src/lint/rules/rule.ts';
import { DISCRIMINATOR_RULES } from '../../src/lint/rules/schema-rules.ts';

const FOLDER = fileURLToPath(new URL('../documents/inheritance/', import.meta.url));
/** What is read by operations without a body. */
const STORED: Readonly<Record<string, unknown>> = {
  read: { '@type': 'FixedSavings', owner: { name: 'Ann' }, rate: 1.5, until: '2030-01-01' },
  read_jobs__job_id__get: { steps: [{ step: 'wait', seconds: 1 }] },
};

/** Serves a document. Its handlers answer with the body that they get. */
async function serveEcho(file: string) {
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  const echo = (id: string) => (input: { body?: unknown }, reply: (status: number, response: object) => unknown) =>
    reply(200, { body: input.body === undefined ? STORED[id] : input.body });
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, echo(id)]));
  return listenOnFreePort(createServer({ contract, handlers, security: {}, log: createTestLog([]) }));
}

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const file = join(FOLDER, name);
  const spec = createWitness(readFileSync(file, 'utf8'), { undeclaredHeaders: 'all' });
  const app = withApp(() => serveEcho(file));
  const client = () => createOperationClient({ spec, servers: { echo: app.url } });

  test('all of it is served, and the lint finds nothing in its discriminators', async () => {
    const source = readDocument(file);
    expect(await checkDocument(source)).toEqual([]);
    expect(listUnsupported(source)).toEqual([]);
    const context = createRuleContext(source);
    // Neither springdoc nor Pydantic, which does not require a property with a default, tells children by constants.
    const rules = DISCRIMINATOR_RULES.filter((rule) => name.startsWith('nswag') || rule.name === 'discriminator-mapping');
    const problems = rules.flatMap((rule) => [...rule.check(context)]);
    expect(problems).toEqual([]);
  });

  testOperations({
    spec,
    world: {},
    scenarios: Object.fromEntries(spec.operations.map(({ id }) => [id, { 200: () => [{}] }])),
    scenariosFile: 'none',
    client: { send: (...args) => client().send(...args), sample: (id) => client().sample(id) },
  });
});
