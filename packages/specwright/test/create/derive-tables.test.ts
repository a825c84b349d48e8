/** A table that is called after paths of the spec is compared with their schemas, without an entry in the schema map. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { readTables } from '@specwright/postgres';
import { withDatabase } from 'specwright/testing';
import { planMigration } from '../../src/migrations/plan-migration.ts';
import { findSchemaProblems } from '../../src/schema/compare-schemas.ts';
import { parseSchemaMap } from '../../src/schema/database-locations.ts';
import { deriveTables } from '../../src/schema/derive-tables.ts';

const database = withDatabase({ schema: 'empty' });

const spec = (more = '') => `openapi: 3.0.3
info: { title: Toys, version: '1' }
paths:
  /store/pet-toys:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/NewToy' } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Toy' } } } }
        default: { description: failed, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
  /store/pet-toys/{toyId}:
    get:
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Toy' } } } } }
components:
  schemas:
    Error: { type: object, properties: { code: { type: string } } }
    Toy:
      type: object
      required: [id, name]
      properties: { id: { type: integer, format: int32, minimum: 1 }, name: { type: string, maxLength: 40 }, madeAt: { type: string, format: date-time }${more} }
    NewToy:
      type: object
      required: [name]
      properties: { name: { type: string, maxLength: 40 }, madeAt: { type: string, format: date-time }${more} }
`;
const TABLES = `DROP SCHEMA public CASCADE; CREATE SCHEMA public;
  CREATE TABLE accounts (account_id bigint PRIMARY KEY);
  CREATE TABLE pet_toys (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, id integer GENERATED ALWAYS AS IDENTITY, name text NOT NULL CHECK (char_length(name) <= 40),
    made_at timestamptz, version bigint NOT NULL DEFAULT 1, PRIMARY KEY (account_id, id),
    CONSTRAINT pet_toys_made_at_range CHECK (made_at >= '0001-01-01Z' AND made_at < '10000-01-01Z'));`;
const EXCEPTED = 'not in the contract: { tables: { accounts: of the accounts } }\n';

async function compare(text: string, mapText = EXCEPTED, more = '') {
  await database.db.raw(TABLES + more);
  const source = parseSource('spec.yaml', text);
  const tables = await readTables(database.db);
  const map = parseSchemaMap('map', mapText);
  const problems = findSchemaProblems({ source, tables, map, mapFile: 'map', dump: { file: 'schema.sql', text: '' }, migrations: [] });
  const derived = deriveTables(source.document, map, tables);
  const plan = planMigration({ document: source.document, map: derived, tables, problems, fill: new Map() });
  return { messages: problems.map(({ message }) => message), plan, derived };
}

test('its schemas, columns, version, owner, errors and range of moments need no entry', async () => {
  const { messages, derived } = await compare(spec());
  expect(messages).toEqual([]);
  expect(derived.tables['pet_toys']).toEqual({
    read: ['Toy'],
    create: ['NewToy'],
    patch: [],
    columns: { id: 'id', name: 'name', made_at: 'madeAt' },
    isDerived: true,
  });
});

test('a difference, a column and a property of one alone are reported as for a table of the map', async () => {
  const { messages } = await compare(
    spec(', colour: { type: string }'),
    EXCEPTED,
    'ALTER TABLE pet_toys ADD COLUMN size text, ALTER COLUMN name DROP NOT NULL',
  );
  expect(messages).toEqual([
    expect.stringMatching(/column pet_toys\.size is not in map/),
    expect.stringMatching(/property Toy\.colour is not in map, no column holds it/),
    expect.stringMatching(/property NewToy\.colour is not in map/),
    expect.stringMatching(/required of Toy\.name/),
  ]);
});

test('add-migration adds a column for a new property, and the map gets no entry', async () => {
  const { plan } = await compare(spec(', colour: { type: string }'));
  expect(plan).toMatchObject({ actions: [{ table: 'pet_toys', part: 'ADD COLUMN colour text' }], entries: [] });
});

test.each(['accountId: { type: integer }', 'version: { type: integer }'])(
  'a body never fills a column of the server: %s',
  async (property) => {
    const { plan } = await compare(spec(`, ${property}`));
    expect(plan).toMatchObject({
      actions: [],
      entries: [],
      undecided: [expect.stringMatching(/the schema map excepts the column pet_toys\./)],
    });
  },
);

test('a table of the map, or one whose schemas are in another table, is not derived', async () => {
  const named = await compare(spec(), `${EXCEPTED}tables: { pet_toys: { read: [Toy], columns: { id: id } } }\n`);
  expect(named.derived.tables['pet_toys']).not.toHaveProperty('isDerived');
  const elsewhere = await compare(spec(), `${EXCEPTED}tables: { others: { read: [Toy], columns: {} } }\n`);
  expect(elsewhere.messages).toContainEqual(expect.stringMatching(/table pet_toys is not in map/));
});

test('a reason that a schema had no table, before it got one, is no problem', async () => {
  expect((await compare(spec(), `${EXCEPTED}not in the database: { schemas: { Toy: No table holds it yet. } }\n`)).messages).toEqual([]);
});
