/** Differences between contract and database are reported with both locations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseSchemaMap } from 'specwright/schema';
import { readTables, type Table } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from 'specwright/testing';
import { compare, FILES, MAP, MAPPED, SPEC } from '../../support/service/schema-map.ts';

let database: TestDatabase;
let tables: Table[];
beforeAll(async () => {
  database = await createDatabase();
  tables = await readTables(database.db);
});
afterAll(() => database.drop());

/** The text with `from` after `part` changed, and the line of the change. */
function edit(text: string, part: string, from: string, to: string): { text: string; line: number } {
  const start = text.indexOf(from, text.indexOf(part));
  if (!text.includes(part) || start === -1) throw new Error(`there is no ${JSON.stringify(from)} after ${JSON.stringify(part)}`);
  return { text: text.slice(0, start) + to + text.slice(start + from.length), line: text.slice(0, start).split('\n').length };
}

/** Where the committed dump has a text. */
const dumpLine = (part: string) => FILES.dump.text.slice(0, FILES.dump.text.indexOf(part)).split('\n').length;

test('contract and database agree', () => {
  expect(compare(tables)).toEqual([]);
});

test.each<[name: string, part: string, from: string, to: string, says: RegExp, inDump: string]>([
  [
    'a length',
    '    PetName:',
    'maxLength: 100',
    'maxLength: 120',
    /maxLength of NewPet\.name is 120, and pets\.name .* has 100/,
    'CONSTRAINT pets_name_check',
  ],
  [
    'a shortest length',
    '    PetName:',
    'minLength: 1',
    'minLength: 2',
    /minLength of Pet\.name is 2, and pets\.name .* has 1/,
    'CONSTRAINT pets_name_check',
  ],
  [
    'an enum value added',
    '    PetStatus:',
    'enum: [available, ',
    'enum: [lost, available, ',
    /enum of NewPet\.status is lost, available, pending, sold, and pets\.status/,
    'CONSTRAINT pets_status_check',
  ],
  [
    'an enum value removed',
    '    MessageStatus:',
    ', failed]',
    ']',
    /enum of Message\.status is queued, sent, and messages\.status .* has queued, sent, failed/,
    'CONSTRAINT messages_status_check',
  ],
  [
    'a range',
    '    NewOrder:',
    'maximum: 1000000',
    'maximum: 2000000',
    /maximum of NewOrder\.quantity is 2000000, and orders\.quantity .* has 1000000/,
    'CONSTRAINT orders_quantity_check',
  ],
  [
    'the range of ids',
    '    Id:',
    'maximum: 9007199254740991',
    'maximum: 4503599627370495',
    /maximum of Pet\.categoryId is 4503599627370495, and pets\.category_id .* has 9007199254740991/,
    '  category_id bigint',
  ],
  [
    'a field that may be absent',
    '    Account:',
    'email, plan, ',
    'plan, ',
    /required of Account\.email is optional, and accounts\.email .* has NOT NULL/,
    '  email text',
  ],
  [
    'a field that must be there',
    '    Category:',
    'required: [id, name]',
    'required: [id, name, description]',
    /required of Category\.description is required, and categories\.description .* has NULL/,
    '  description text',
  ],
  [
    'null in a change',
    '    PetPatch:',
    "categoryId:\n          $ref: '#/components/schemas/Id'",
    'categoryId: { type: integer, nullable: true, minimum: 1, maximum: 9007199254740991 }',
    /nullable of PetPatch\.categoryId is optional, nullable, and pets\.category_id .* has NOT NULL/,
    '  category_id bigint',
  ],
  [
    'no null in a change',
    '    CategoryPatch:',
    'nullable: true',
    'nullable: false',
    /required of CategoryPatch\.description is optional, but not null, so that no patch removes it, and categories\.description .* has NULL/,
    '  description text',
  ],
  [
    'a type',
    '    OrderPatch:',
    'type: boolean',
    'type: string',
    /type of OrderPatch\.complete is string, and orders\.complete .* has boolean/,
    '  complete boolean',
  ],
  [
    'a format',
    '    Message:',
    'format: date-time',
    'format: date',
    /format of Message\.createdAt is "date", and messages\.created_at .* has date-time/,
    '',
  ],
  [
    'a default',
    '    NewOrder:',
    'default: false',
    'default: true',
    /default of NewOrder\.complete is true, and orders\.complete .* has false/,
    '  complete boolean',
  ],
])('reports %s that is changed in the spec, with its line and that of the column', (_, part, from, to, says, inDump) => {
  const { text, line } = edit(SPEC, part, from, to);
  const found = compare(tables, { spec: text }).find((problem) => says.test(problem));
  expect(found).toBeDefined();
  const [, at] = /^spec\/petstore\.yaml:(\d+):\d+ /.exec(found ?? '') ?? [];
  // A keyword stands on the line itself; what is not said is reported at the property, a line or a few below or above.
  expect(Math.abs(Number(at) - line)).toBeLessThan(30);
  if (/^(min|max|enum|format|default|type)/.test(from) && !from.includes('\n')) expect(Number(at)).toBe(line);
  if (inDump !== '') expect(found).toContain(` at generated/schema.sql:${dumpLine(inDump)}`);
});

test('reports entries of the map that spec or database no longer have', () => {
  const map = MAPPED.replace(
    '    columns: { id: id, name: name, category_id',
    '    columns: { id: id, nick: name, cat: colour, category_id',
  )
    .replace('read: [Pet, ', 'read: [Pet, Pest, ')
    .replace('differences:\n', 'differences:\n  Pet.name maxLength: Not so any more.\n');
  expect(compare(tables, { map })).toEqual(
    expect.arrayContaining([
      `${MAP}: table pets has no column nick: remove it`,
      `${MAP}: table pets has no column cat: remove it`,
      `${MAP}: there is no schema Pest: remove it`,
      `${MAP}: the exception differences Pet.name maxLength is not needed: remove it`,
    ]),
  );
});

test('reports unmapped schemas and properties at their lines', () => {
  const { text } = edit(SPEC, '    Pet:', '      properties:\n', '      properties:\n        colour: { type: string }\n');
  const more = edit(text, '    PetStatus:', '    PetStatus:', '    Toy: { type: object, properties: {} }\n    PetStatus:');
  const problems = compare(tables, { spec: more.text });
  expect(problems).toHaveLength(2);
  expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^spec/petstore\\.yaml:${more.line}:5 schema Toy is not in`)));
  expect(problems).toContainEqual(expect.stringMatching(/^spec\/petstore\.yaml:\d+:9 property Pet\.colour is not in/));
});

test('refuses a missing reason and an unknown key', () => {
  expect(() => parseSchemaMap(MAP, 'differences: { Pet.name maxLength: "" }')).toThrow(/schema-map\.yaml: .*must give a reason/s);
  expect(() => parseSchemaMap(MAP, 'difference: {}')).toThrow(/Unrecognized key/);
});
