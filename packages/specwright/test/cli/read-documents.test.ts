/** Every command that reads a document reads it the same way: what is accepted by one is by all, and a problem has the same file and line. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { loadContract } from '@specwright/contract';
import { createMockServer } from '../../src/mock/mock-server.ts';
import { runProgram } from '../../src/program.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const folder = withFolder();
let spec: string;
let printed: string[];
beforeEach(() => {
  spec = join(folder.path, 'spec/openapi.yaml');
  printed = [];
  const print = (...args: unknown[]) => void printed.push(args.join(' '));
  for (const method of ['log', 'error', 'warn'] as const) jest.spyOn(console, method).mockImplementation(print);
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
});
afterEach(() => {
  jest.restoreAllMocks();
});

type Files = Readonly<Record<string, string>>;

function write(files: Files): void {
  for (const [name, text] of Object.entries({ 'base.yaml': OPERATION('{ type: object }'), ...files })) {
    folder.write(name, text);
  }
}

/** What the program prints, with its paths from the folder and its lines joined. */
const output = () =>
  printed
    .join('\n')
    .replaceAll(`${folder.path}/`, '')
    .replace(/\s*\n\s+/g, ' ');

const run = async (...args: string[]) => ({ code: await runProgram(args), text: output() });

/** A start: what was generated is not from this document. */
async function start() {
  const error = await loadContract(spec, { digest: '', operations: {}, rateLimitPlans: null }).catch((one: unknown) => one);
  printed.push((error as Error).message);
  return { code: output().includes('generated/ was made from another version') ? 0 : 1, text: output() };
}

async function mock() {
  try {
    const { server } = await createMockServer(spec, {
      log: { info: () => undefined, warn: () => undefined, error: () => undefined } as never,
    });
    server.close();
    return { code: 0, text: output() };
  } catch (error) {
    printed.push((error as Error).message);
    return { code: 1, text: output() };
  }
}

/** Each is done with a document that it reads, too. */
const READERS: Readonly<Record<string, () => Promise<{ readonly code: number; readonly text: string }>>> = {
  bundle: () => run('bundle', spec),
  generate: () => run('generate', '--spec', spec, '--out', join(folder.path, 'generated')),
  client: () => run('client', '--spec', spec, '--out', join(folder.path, 'client')),
  changelog: () => run('changelog', '--spec', spec, '--base', join(folder.path, 'base.yaml')),
  'changelog, as the base': () => run('changelog', '--spec', join(folder.path, 'base.yaml'), '--base', spec),
  'check-breaking --between': () => run('check-breaking', '--between', spec, join(folder.path, 'base.yaml')),
  mock,
  start,
};

/** These go on after they have read a document, or say more than whether it can be read. */
const REFUSERS: typeof READERS = {
  lint: () => run('lint', '--spec', spec),
  'check-breaking': () => run('check-breaking', '--spec', spec, '--base', join(folder.path, 'base.yaml')),
  new: () => run('new', join(folder.path, 'project'), '--spec', spec, '--no-install'),
  mcp: () => run('mcp', '--spec', spec, '--url', 'http://127.0.0.1:9'),
};

const HEAD = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n`;
/** An operation in one line, the third. */
const OPERATION = (schema: string, more = '') =>
  `${HEAD}paths: { /a: { post: { operationId: a, requestBody: { required: true, content: { application/json: { schema: ${schema} } } }, responses: { '204': { description: ok } } } } }\n${more}`;
const schemas = (text: string) => `components:\n  schemas:\n${text.replace(/^/gm, '    ')}\n`;
const A = "{ $ref: '#/components/schemas/A' }";
const MERGED =
  'base: &b { type: object, required: [id], properties: { id: { type: integer } } }\nC: { type: object, properties: { inner: { <<: *b } } }\n';

const BRACKETS = `get:
  operationId: a
  responses:
    '200':
      description: ok
      content:
        application/json:
          schema: { type: object }
          example: {
            "a": 1
          }
`;

describe('accepted', () => {
  const accepted: Readonly<Record<string, Files>> = {
    'a merge key in a part': { 'spec/openapi.yaml': OPERATION('{ $ref: s/b.yaml#/C }'), 'spec/s/b.yaml': MERGED },
    'a merge key in the document': {
      'spec/openapi.yaml': OPERATION('{ <<: *b, description: x }', '').replace('paths', `x-${MERGED.split('\n')[0] ?? ''}\npaths`),
    },
    'a closing bracket': { 'spec/openapi.yaml': `${HEAD}paths:\n  /a:\n${BRACKETS.replace(/^(?=.)/gm, '    ')}` },
    'a closing bracket in a part': { 'spec/openapi.yaml': `${HEAD}paths:\n  /a: { $ref: a.yaml }\n`, 'spec/a.yaml': BRACKETS },
    'recursion through properties': { 'spec/openapi.yaml': OPERATION(A, schemas(`A: { type: object, properties: { next: ${A} } }`)) },
  };
  test.each(Object.keys(accepted).flatMap((name) => Object.keys(READERS).map((reader) => [name, reader] as const)))(
    '%s, by %s',
    async (name, reader) => {
      write(accepted[name] ?? {});
      const { code, text } = (await READERS[reader]?.()) ?? { code: undefined, text: '' };
      expect([code, code === 0 ? '' : text]).toEqual([0, '']);
      expect(text).not.toContain('<<');
    },
  );

  test.each([
    ['a closing bracket', 'spec/openapi.yaml:15:15'],
    ['a closing bracket in a part', 'spec/a.yaml:11:11'],
  ])('%s, with a line of the lint', async (name, place) => {
    write(accepted[name] ?? {});
    const { text } = await run('lint', '--spec', spec);
    expect(text).toMatch(new RegExp(`${place} +this bracket is not indented more than its key.*\\(closing-bracket\\).*fix: +Indent`));
    expect(text).not.toContain('cannot be served');
  });
});

describe('refused with file, line and what it is about', () => {
  const part = (text: string) => ({ 'spec/openapi.yaml': OPERATION('{ $ref: ./other.yaml#/A }'), 'spec/other.yaml': text });
  const refused: Readonly<Record<string, readonly [files: Files, place: string, ...words: string[]]>> = {
    'a keyword in a part': [
      {
        ...part('# A part.\nA:\n  type: object\n  properties:\n    kind: { type: string, const: a }\n'),
        'spec/openapi.yaml': OPERATION('{ $ref: ./other.yaml#/A }').replace('3.1.0', '3.0.3'),
      },
      'spec/other.yaml:5:27',
      '`const`',
    ],
    'a ring of allOf': [
      {
        'spec/openapi.yaml': OPERATION(
          A,
          schemas(`A: { allOf: [${A.replace('A', 'B')}] }\nB: { allOf: [${A}] }`).replaceAll(
            'components/schemas/B',
            'components/schemas/B',
          ),
        ),
      },
      'spec/openapi.yaml:7:',
      'A',
      'B',
      'contains itself',
    ],
    'a parent that is its child': [
      {
        'spec/openapi.yaml': OPERATION(
          A,
          schemas(`A: { oneOf: [{ $ref: '#/components/schemas/Yes' }, { type: string }] }\nYes: { allOf: [${A}] }`),
        ),
      },
      'spec/openapi.yaml:7:',
      'A -> oneOf -> Yes -> allOf -> A',
      'Remove the parent',
    ],
    'schemas that refer to each other': [
      { 'spec/openapi.yaml': OPERATION(A, schemas(`A: { $ref: '#/components/schemas/B' }\nB: ${A}`)) },
      'spec/openapi.yaml:7:',
      'A -> B -> A',
    ],
    'a ring in parts': [
      { ...part('A: { $ref: more.yaml }\n'), 'spec/more.yaml': '$ref: other.yaml#/A\n' },
      'spec/openapi.yaml:3:',
      'more.yaml -> other.yaml#/A -> more.yaml',
    ],
    'a parameter that refers to itself': [
      { 'spec/openapi.yaml': OPERATION('{}', "components:\n  parameters:\n    P: { $ref: '#/components/parameters/P' }\n") },
      'spec/openapi.yaml:6:',
      'P -> P',
    ],
    'a file outside of the project': [
      { 'spec/openapi.yaml': OPERATION('{ $ref: ../secret.yaml }'), 'secret.yaml': 'type: string\n' },
      'spec/openapi.yaml:3:',
      'secret.yaml, outside of the project',
      '--allow-outside',
    ],
    'a key that is there twice': [part('A:\n  type: object\n  type: string\n'), 'spec/other.yaml:3:3', 'first in line 2'],
    'an alias within its anchor': [part('A: &a\n  allOf: [*a]\n'), 'spec/other.yaml:2:11', '*a'],
    'aliases that repeat too much': [
      part(`A: {}\nl0: &l0 [1, 2]\n${Array.from({ length: 20 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}]\n`).join('')}`),
      'spec/other.yaml:',
      '8 Mi characters',
    ],
    'a bracket before its key': [part('A:\n  enum: [\n    a\n ]\n'), 'spec/other.yaml:4:2', 'spec/openapi.yaml:3'],
  };
  const all = { ...READERS, ...REFUSERS };
  test.each(Object.keys(refused).flatMap((name) => Object.keys(all).map((reader) => [name, reader] as const)))(
    '%s, by %s',
    async (name, reader) => {
      const [files, place, ...words] = refused[name] ?? [{}, ''];
      // It finds what is no keyword later than the others read.
      if (name === 'a keyword in a part' && reader === 'bundle') return;
      write(files);
      const { code, text } = (await all[reader]?.()) ?? { code: undefined, text: '' };
      expect(code).toBe(1);
      for (const word of [place, ...words]) expect(text).toContain(word);
      expect(text).not.toMatch(/\n? +at .*\(.*:\d+:\d+\)|Maximum call stack/);
    },
  );
});

test('--allow-outside allows a file outside of the project, in each command that has it', async () => {
  write({ 'spec/openapi.yaml': OPERATION('{ $ref: ../shared.yaml }'), 'shared.yaml': 'type: object\n' });
  const base = join(folder.path, 'base.yaml');
  expect((await run('bundle', spec, '--allow-outside')).text).toContain('shared:');
  const commands = [
    ['generate', '--spec', spec, '--out', join(folder.path, 'generated')],
    ['client', '--spec', spec, '--out', join(folder.path, 'client')],
    ['check-breaking', '--spec', spec, '--base', base],
    ['check-breaking', '--spec', base, '--base', spec],
    ['check-breaking', '--between', spec, base],
    ['changelog', '--spec', spec, '--base', base],
  ];
  for (const command of commands) expect([command, await runProgram([...command, '--allow-outside'])]).toEqual([command, 0]);
  printed = [];
  expect((await run('lint', '--spec', spec, '--allow-outside')).text).not.toContain('outside of the project');
});
