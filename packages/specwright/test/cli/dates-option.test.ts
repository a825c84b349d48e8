/** `"dates": "date"` in package.json: what is generated, what a server decodes and encodes, and what rows are. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openContract } from '@specwright/contract';
import { operationTable, readDocument } from '@specwright/contract/document';
import { connect, connectionUrl, readTables } from '@specwright/postgres';
import { createServer, loadContract } from '@specwright/server';
import { createTestLog, listenOnFreePort, withDatabase } from 'specwright/testing';
import { emitTableTypes } from '../../src/database/schema-files.ts';
import { generate } from '../../src/generate/generate.ts';
import { readProject } from '../../src/project-config.ts';

const database = withDatabase({ schema: 'empty' });
const SPEC = `openapi: 3.0.3
info: { title: Events, version: '1' }
paths:
  /events:
    post:
      operationId: addEvent
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } } }
        '400': { description: refused }
components:
  schemas:
    Event: { type: object, required: [at], properties: { at: { type: string, format: date-time } } }
`;
const root = mkdtempSync(join(tmpdir(), 'dates-'));
const file = join(root, 'openapi.yaml');
const choose = (dates?: string) => writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'events', specwright: { dates } }));
beforeAll(() => writeFileSync(file, SPEC));
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ['date', 'at: Date;', "rateLimitPlans, dates: 'date' };"],
  ['string', 'at: string;', 'rateLimitPlans };'],
  [undefined, 'at: string;', 'rateLimitPlans };'],
])('with %s the types have %s', async (dates, type, generated) => {
  choose(dates);
  const files = await generate(readDocument(file));
  expect(files.get('openapi.ts')).toContain(type);
  expect(files.get('contract.ts')).toContain(generated);
  // Clients of other languages get texts, as before.
  expect(files.get('document.json')).not.toContain('x-date-time');
  expect((await openContract(file)).dates).toBe(dates === 'date' ? 'date' : undefined);
});

test('another value is refused', () => {
  choose('Date');
  expect(() => readProject(root)).toThrow(/specwright\/dates: .*"date"\|"string"/);
});

test('what a store reads of a timestamptz is what reply takes, and what a request has is what it writes', async () => {
  // What was generated counts where a server runs.
  choose();
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document), dates: 'date' } as never);
  const db = connect({ url: connectionUrl(database.db), pool: 1, dates: contract.dates });
  await db.raw('CREATE TABLE events (at timestamptz NOT NULL)');
  const addEvent = async ({ body }: { body: { at: Date } }, reply: (status: number, payload: object) => unknown) => {
    const [row] = await db<{ at: Date }>('events').insert({ at: body.at }).returning('*');
    expect(row?.at).toBeInstanceOf(Date);
    return reply(200, { body: row });
  };
  const server = createServer({ contract, handlers: { addEvent } as never, security: {} as never, log: createTestLog() });
  const app = await listenOnFreePort(server);
  const send = async (at: string) => {
    const response = await fetch(`${app.url}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ at }),
    });
    return [response.status, await response.text()];
  };
  expect(await send('2026-12-24T13:00:00.5+01:00')).toEqual([200, '{"at":"2026-12-24T12:00:00.500Z"}']);
  expect((await send('2026-02-30T00:00:00Z'))[0]).toBe(400);
  const types = emitTableTypes(await readTables(db), true);
  expect(types).toContain('interface EventsRow {\n  at: Date;\n}');
  expect(types).toContain('`timestamptz` as a `Date`.');
  await app.close();
  await db.destroy();
});
