/** `x-mcp`: what is no tool is refused together with what to do, before anything starts. */
import { expect, test } from '@jest/globals';
import { checkDocument, parseSource } from '@specwright/contract/document';

const document = (operations: Record<string, object>) =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    paths: Object.fromEntries(Object.entries(operations).map(([id, operation]) => [`/${id}`, { post: { operationId: id, ...operation } }])),
  });
const OK = { 204: { description: 'ok' } };
const answers = (type: string, media: object = {}) => ({ 200: { description: 'ok', content: { [type]: media } } });
const takes = (type: string) => ({ content: { [type]: { schema: { type: 'object' } } } });

test.each<[name: string, operation: object, problem: RegExp]>([
  ['another value', { 'x-mcp': 'yes', responses: OK }, /x-mcp must be true, or have name, description and destructive; not "yes"/],
  ['an unknown field', { 'x-mcp': { title: 'a' }, responses: OK }, /x-mcp\/title is not allowed here/],
  ['an empty description', { 'x-mcp': { description: ' ' }, responses: OK }, /x-mcp\/description must be a text/],
  ['a name that providers refuse', { 'x-mcp': { name: 'a b' }, responses: OK }, /a b is no name of a tool: set x-mcp\/name/],
  [
    'a form',
    { 'x-mcp': true, requestBody: takes('multipart/form-data'), responses: OK },
    /a tool sends JSON: declare application\/json beside it/,
  ],
  ['bytes', { 'x-mcp': true, responses: answers('image/png') }, /its response 200 is image\/png, and a tool answers JSON or text/],
  [
    'a stream',
    { 'x-mcp': true, responses: answers('text/event-stream', { 'x-item-schema': {} }) },
    /is a stream of items, and a tool has one result/,
  ],
])('%s is refused', async (_name, operation, problem) => {
  const problems = await checkDocument(parseSource('a.json', document({ one: operation })));
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(problem)]);
});

test('two tools of one name are refused, and what is no tool may be anything', async () => {
  const twice = { 'x-mcp': { name: 'same' }, responses: OK };
  const problems = await checkDocument(parseSource('a.json', document({ one: twice, two: twice })));
  expect(problems.map(({ message }) => message)).toEqual(['one is the tool same already: set x-mcp/name to another one']);
  const off = { 'x-mcp': false, responses: answers('image/png') };
  expect(
    await checkDocument(parseSource('a.json', document({ one: off, two: { 'x-mcp': true, responses: answers('text/csv') } }))),
  ).toEqual([]);
});
