/** The rules of the contract walk are red for a server that breaks them, and for nothing else. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createWitness } from 'specwright/testing';
import { propertyIn } from '../../src/testing/contract/rules/rule.ts';
import { RULES, rulesOf, tryRule } from '../../src/testing/contract/rules/rules.ts';
import type { Walk } from '../../src/testing/contract/walk-options.ts';
import { assertExemptions } from '../../src/testing/contract/walk.ts';
import { TOOL_SHED } from './tool-shed-contract.ts';
import { toolShed, withToolShed, type Fault } from './tool-shed.ts';

const { state, tools, walk } = withToolShed();
beforeEach(() => {
  state.fault = undefined;
  state.unwritten = [];
  tools.clear();
});

/** What the rules say of an operation, without the requests and responses. */
async function problemsOf(id: string, more: Partial<Walk<object>> = {}, mayLack = false): Promise<string> {
  const made = walk(more);
  const operation = made.spec.operation(id);
  const messages: string[] = [];
  for (const rule of rulesOf(made, operation))
    await tryRule(made, operation, rule, mayLack).catch((error: unknown) => messages.push((error as Error).message));
  return messages
    .join('\n')
    .replace(/^(?: {2}response body:| {2}fix:|\w+ \(\w+ ).*\n?/gm, '')
    .trim();
}

/** The names of the cases of an operation. */
const casesOf = (id: string, spec = toolShed) => RULES.flatMap((rule) => rule.cases(spec, spec.operation(id)).map(({ name }) => name));

test.each([
  [{ name: 'saw', tool: { id: 1 } }, 'saw'],
  [{ tool: { name: 'saw' }, tags: [] }, 'saw'],
  [null, undefined],
  ['saw', undefined],
])('a property is read in a body, or in the one object of it: %j', (body, expected) => {
  expect(propertyIn(body, 'name')).toBe(expected);
});

const EDGES = ['name', 'shelfId', 'note', 'bought'].map((name) => `edges of ${name}`);

describe('which rules apply is derived from the contract', () => {
  test.each([
    ['addShelf', []],
    ['readShelf', ['other account']],
    ['listTools', ['filter status', 'filter shelfId', 'filter name', 'pages', 'other account']],
    ['addTool', ['Location', 'reference shelfId', ...EDGES, 'repeated']],
    ['readTool', ['other account']],
    ['deleteShelf', ['referred to by addTool shelfId', 'deletion', 'other account']],
    [
      'replaceTool',
      ['reference shelfId', ...EDGES, 'repeated', 'omitted status', 'omitted note', 'omitted bought', 'If-Match', 'other account'],
    ],
    ['deleteTool', ['If-Match', 'deletion', 'other account']],
  ])('%s', (id, names) => expect(casesOf(id)).toEqual(names));

  test.each([
    ['no links between pages', 'listTools', 'pages', 'Link: {', 'Total: {'],
    ['no parameter for the size of a page', 'listTools', 'pages', 'name: limit', 'name: most'],
    ['a filter of another type', 'listTools', 'filter shelfId', 'shelfId, in: query, schema: { type: integer }', 'shelfId, in: query, schema: { type: string }'], // prettier-ignore
    ['a filter of another name', 'listTools', 'filter shelfId', 'name: shelfId, in', 'name: shelf, in'],
    ['no Location', 'addTool', 'Location', 'Location: {', 'Self: {'],
    [
      'no operation that creates what refers to it',
      'deleteShelf',
      'referred to by addTool shelfId',
      'post:\n      operationId: addTool',
      'patch:\n      operationId: addTool',
    ],
    ['a property that is read only', 'addTool', 'edges of note', 'note: { type: string }', 'note: { type: string, readOnly: true }'],
    ['no operation that reads what is referred to', 'addTool', 'reference shelfId', /get: \{ operationId: readShelf.*/, ''],
    ['a property that cannot be read', 'replaceTool', 'omitted note', 'note: { type: string }', 'note: { type: string, writeOnly: true }'],
    ['no status for a condition that fails', 'replaceTool', 'If-Match', /, '412': \{ description: Changed. \}/g, ''],
    ['no ETag', 'replaceTool', 'If-Match', /ETag: \{/g, 'Version: {'],
    [
      'no operation that creates one',
      'readTool',
      'other account',
      'post:\n      operationId: addTool',
      'patch:\n      operationId: addTool',
    ],
    ['no security', 'readTool', 'other account', 'security: [{ key: [] }]', ''],
  ])('not with %s', (_, id, name, from, to) => {
    const text = TOOL_SHED.replace(from, to);
    expect(text).not.toBe(TOOL_SHED);
    expect(casesOf(id, createWitness(text))).not.toContain(name);
  });

  test('without a client of another account nothing is tried with one', () => {
    expect(rulesOf(walk({ otherClient: undefined }), toolShed.operation('readTool'))).toEqual([]);
  });

  test('the id of a reference has many spellings', () => {
    const spelled = (property: string, parameter = 'id') =>
      createWitness(
        TOOL_SHED.replaceAll('shelfId', property)
          .replaceAll(/name: id,/g, `name: ${parameter},`)
          .replaceAll('{id}', `{${parameter}}`),
      );
    for (const property of ['shelf_id', 'topShelfId', 'top-shelf-id'])
      expect(casesOf('addTool', spelled(property))).toContain(`reference ${property}`);
    expect(casesOf('addTool', spelled('shelfId', 'shelf_id'))).toContain('reference shelfId');
    for (const property of ['bookshelfId', 'shelf', 'toolId'])
      expect(casesOf('addTool', spelled(property))).not.toContain(`reference ${property}`);
  });
});

test.each(toolShed.operations.map(({ id }) => id))('a server that keeps the contract passes: %s', async (id) => {
  expect(await problemsOf(id)).toBe('');
  // With more records than two pages have, too.
  for (let i = 0; i < 120; i++)
    tools.set(tools.size + 1, { record: { id: tools.size + 1, name: 'Axe', shelfId: 1, status: 'used' }, version: 1, owner: 'ada' });
  expect(await problemsOf(id)).toBe('');
});

const FAULTS: readonly (readonly [Fault, string, RegExp])[] = [
  ['filter ignored', 'listTools', /query\/status=new returns id \d+, whose status is "used"/],
  ['filter ignored', 'listTools', /query\/shelfId=\d+ returns id \d+, whose shelfId is \d+/],
  ['filter ignored', 'listTools', /query\/name=Saw.* returns id \d+, whose name is/],
  ['filter inverted', 'listTools', /query\/status=new returns id \d+, whose status is "used"/],
  ['filter lost by the link', 'listTools', /query\/status=used returns id \d+, whose status is "new"/],
  ['list empty', 'listTools', /query\/status=new lacks id \d+, which has that value/],
  ['list empty', 'listTools', /the list lacks id \d+, which was created/],
  ['no link', 'listTools', /limit=1: page 1 has no Link rel="next", though there are more/],
  ['link elsewhere', 'listTools', /limit=1: Link leads to \/shelves\?.*, which is not a page of listTools/],
  ['link to itself', 'listTools', /limit=1: Link leads from page 1 to the same page/],
  ['limit ignored', 'listTools', /limit=1: page 1 has \d+ records/],
  ['record skipped', 'listTools', /limit=1: id \d+ is on none of the pages/],
  ['record repeated', 'listTools', /limit=1: (id \d+ is on two pages|Link leads from page 2 to the same page)/],
  ['link at the end', 'listTools', /is in the list twice/],
  ['location elsewhere', 'addTool', /Location is \/tool\/\d+, which no operation of the contract reads/],
  ['location of another', 'addTool', /Location is \/tools\/1, where id is 1, not \d+/],
  ['no location', 'addTool', /there is no header Location/],
  ['reference unchecked', 'addTool', /body\/shelfId refers to a record that does not exist: status 201, not 400/],
  ['reference 500', 'replaceTool', /body\/shelfId refers to a record that does not exist: status 500, not 400/],
  ['omitted kept', 'replaceTool', /body\/note is not given, and is still "note", as it was before/],
  ['precondition ignored', 'replaceTool', /If-Match names a version that is not stored: status 200, not 412/],
  ['precondition ignored', 'deleteTool', /If-Match names a version that is not stored: status 204, not 412/],
  ['precondition too late', 'replaceTool', /the status is 412, but the record has changed: it is read with 200 and ETag "2", not "1"/],
  ['precondition too late', 'deleteTool', /the status is 412, but the record has changed: it is read with 404/],
  ['precondition always fails', 'replaceTool', /If-Match names the version that is stored: status 412/],
  ['tag kept', 'replaceTool', /the record has changed, but its ETag is still "1"/],
  ['deletion ignored', 'deleteTool', /readTool reads the deleted record with status 200, not 404/],
  ['deletion of all', 'deleteTool', /another record is gone from listTools too: id \d+/],
  ['deleted listed', 'deleteTool', /listTools still has the deleted record, id \d+/],
  ['all accounts read', 'readTool', /with the credentials of another account: status 200, not 404 or 403/],
  ['all accounts read', 'deleteTool', /with the credentials of another account: status 204/],
  ['in use 500', 'deleteShelf', /what addTool refers to with shelfId is deleted with status 500/],
  ['in use undeclared', 'deleteShelf', /status 422 is not declared/],
  ['in use gone', 'deleteShelf', /the status is 409, but the record is gone/],
  ['edge 500', 'addTool', /body\/name is "\\u0000": status 500/],
  ['edge 500', 'replaceTool', /body\/note is "\\u0000": status 500/],
  ['repeated 500', 'addTool', /these values are stored already: status 500/],
  ['repeated 500', 'replaceTool', /these values are stored already: status 500/],
  ['all accounts list', 'listTools', /with the credentials of another account it has id \d+/],
];

test.each(FAULTS)('%s by %s is reported: %s', async (fault, id, message) => {
  // Another record, so that there is one to confuse with.
  tools.set(1, { record: { id: 1, name: 'Axe', shelfId: 1, status: 'used' }, version: 1, owner: 'ada' });
  state.fault = fault;
  expect(await problemsOf(id)).toMatch(message);
});

test('a failure has the request, the response, what to fix, and how it is exempt', async () => {
  state.fault = 'deletion ignored';
  const operation = toolShed.operation('deleteTool');
  const [rule] = RULES.filter((one) => one.cases(toolShed, operation).some(({ name }) => name === 'deletion'));
  await expect(rule && tryRule(walk(), operation, rule)).rejects.toThrow(
    new RegExp(
      [
        String.raw`^deleteTool \(DELETE /tools/\{toolId\}\), called with \{"path":\{"toolId":1\}.*\}:`,
        'readTool reads the deleted record with status 200, not 404',
        'fix: delete the record, and no other, in the handler of deleteTool, or exempt "deleteTool deletion" with the reason in exemptions.json',
        'response body: $',
      ].join(String.raw`\s+`),
    ),
  );
});

describe('an operation that is not written yet', () => {
  test('leaves rules untried that need it, in a project that is being written', async () => {
    for (const unwritten of ['GET tools', 'POST tools', 'DELETE tools', 'PUT tools', 'POST shelves']) {
      state.unwritten = [unwritten];
      for (const { id } of toolShed.operations) expect([unwritten, id, await problemsOf(id, {}, true)]).toEqual([unwritten, id, '']);
    }
  });

  test('is reported in one that answers everything that it declares', async () => {
    state.unwritten = ['GET tools'];
    expect(await problemsOf('deleteTool')).toContain('"deleteTool deletion" was not tried: readTool answers 501');
    expect(await problemsOf('addTool', { scenarioFor: () => undefined })).toContain('no scenario in scenarios.ts makes addTool succeed');
  });
});

describe('an exemption', () => {
  const exemptions = { 'deleteTool deletion': 'a deleted tool is in the archive' };

  test('admits that a rule is broken', async () => {
    state.fault = 'deletion ignored';
    expect(await problemsOf('deleteTool', { exemptions })).toBe('');
  });

  test('that is not needed is to be removed', async () => {
    expect(await problemsOf('deleteTool', { exemptions })).toBe(
      '"deleteTool deletion" is exempt (a deleted tool is in the archive), but the rule is kept. Remove it from exemptions.json',
    );
  });

  test('is of a rule that applies', () => {
    expect(() => assertExemptions(walk({ exemptions }))).not.toThrow();
    const unknown = { 'readTool deletion': 'a tool is for ever' };
    expect(() => assertExemptions(walk({ exemptions: unknown }))).toThrow(
      'not in the contract: readTool deletion. Remove it from exemptions.json',
    );
  });
});
