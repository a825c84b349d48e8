/** A document of a stranger: what it says is neither a command of a terminal or of CI nor a line of its own in what commands print, and no code. */
import { cpSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { parse } from 'yaml';
import { runProgram } from '../../src/program.ts';
import { checkTypes } from './support/native-compiler.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

/** As part of a name, a value, a description: ESC, ends of lines, C1, DEL, marks of direction, commands of CI, ends of comments and of literals. */
const EVIL =
  'x\u001b[31m\r\n::error file=a::FORGED\n##[error]FORGED\n  ::set-output name=a::FORGED\nFORGED\u2028::warning::FORGED\u2029\u202eabc\u2066\u200f\u061c\u0085\u009b31m\u007f %zz 100% */ ` ${process.exit(9)} \' " \\ <img src=x> --> ]]> |';

const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const schema = (extra: object = {}) => ({
  type: 'object',
  title: EVIL,
  description: EVIL,
  required: [EVIL],
  properties: {
    [EVIL]: { type: 'string', description: EVIL, enum: [EVIL, 'b'], default: EVIL, example: EVIL },
    'discount%': { type: 'integer', example: 1 },
    '*/': { type: 'string', pattern: '^[\u202ea`${]*$', example: 'a' },
    ...extra,
  },
});
const json = (of: object) => ({
  description: EVIL,
  headers: { 'X-A': { description: EVIL, schema: { type: 'string' } } },
  content: { 'application/json': { schema: of } },
});

function documentOf(changes: object = {}) {
  return {
    openapi: '3.0.3',
    info: { title: EVIL, description: EVIL, version: '1.0.0' },
    tags: [{ name: EVIL, description: EVIL }],
    paths: {
      '/books%': {
        get: {
          operationId: 'listBooks',
          summary: EVIL,
          description: EVIL,
          tags: [EVIL],
          parameters: [{ name: 'q%', in: 'query', description: EVIL, schema: { type: 'string', enum: [EVIL, 'b'], default: EVIL } }],
          responses: { 200: json({ $ref: '#/components/schemas/Book' }), 404: json(schema()) },
        },
        post: {
          operationId: 'createBook',
          summary: EVIL,
          requestBody: { required: true, description: EVIL, content: { 'application/json': { schema: schema() } } },
          responses: { 201: { description: EVIL, links: { next: { operationRef: '#/paths/~1books%/get', description: EVIL } } } },
          'x-note': EVIL,
        },
      },
    },
    components: { schemas: { Book: schema() } },
    ...changes,
  };
}

const root = withFolder();
let output: string[];
const cwd = process.cwd();
beforeEach(() => {
  output = [];
  write('package.json', JSON.stringify({ name: 'shop', type: 'module', specwright: { name: 'shop' } }));
  write('spec/openapi.yaml', JSON.stringify(documentOf()));
  write(
    'base.json',
    JSON.stringify(
      documentOf({
        paths: { ...documentOf().paths, [`/gone/${EVIL.replace(/[{}]/g, '')}`]: { get: { responses: { 200: json(schema()) } } } },
        components: { schemas: { Book: schema({ [`old${EVIL}`]: { type: 'string', enum: [EVIL] } }) } },
      }),
    ),
  );
  write('src/main.ts', 'export {};\n');
  write('src/handlers/index.ts', 'import type { Handlers } from "x";\nexport const handlers: Handlers = {};\n');
  write('test/contract/scenarios.ts', 'export const SCENARIOS: Scenarios = {};\n');
  write('test/contract/generic.ts', 'export const GENERIC = {} as const;\n');
  cpSync(join(cwd, 'packages/specwright/template/.config'), join(root.path, '.config'), { recursive: true });
  for (const method of ['log', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((text: string) => void output.push(`${text}\n`));
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => (output.push(String(text)), true));
  process.chdir(root.path);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(cwd);
});

const { write } = root;

function expectSafe(text: string, allowed = /^$/): void {
  expect(text.split('\n').filter((line) => UNPRINTABLE.test(line))).toEqual([]);
  const lines = text.split('\n').filter((line) => !allowed.test(line));
  expect(lines.filter((line) => /^\s*::(?!: )/.test(line) || /##\w*\[/.test(line))).toEqual([]);
  expect(lines.filter((line) => /^\s*FORGED/.test(line))).toEqual([]);
}

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  output = [];
  const code = await runProgram(args);
  return { code, text: output.join('') };
}

const TIMEOUT = scaleTimeout(60_000);

describe.each([
  ['generate'],
  ['generate', '--check'],
  ['client'],
  ['client', '--out', 'sdk'],
  ['lint'],
  ['lint', '--json'],
  ['lint', '--baseline'],
  ['add-operation'],
  ['bundle', 'spec/openapi.yaml'],
  ['bundle', 'base.json'],
  ['check-breaking', '--base', 'base.json'],
  ['check-breaking', '--base', 'base.json', '--json'],
  ['check-breaking', '--base', 'base.json', '--format', 'sarif'],
  ['check-breaking', '--base', 'base.json', '--summary', 'summary.md'],
  ['check-breaking', '--between', 'base.json', 'spec/openapi.yaml'],
  ['changelog', '--base', 'base.json'],
  ['changelog', '--base', 'base.json', '--format', 'json'],
  ['generate', `--${EVIL}`],
  ['bundle', `${EVIL}.yaml`],
  [EVIL],
])('specwright %s %s %s', (...args) => {
  test(
    'prints no control character, no line of the document, and no command of CI',
    async () => {
      const { code, text } = await run(...args);
      expect(text).not.toMatch(/URIError|URI malformed/);
      expect([0, 1, 2]).toContain(code);
      expect(text).not.toBe('');
      expectSafe(text);
    },
    TIMEOUT,
  );
});

test('check-breaking --format github prints one command for each change', async () => {
  const { text } = await run('check-breaking', '--base', 'base.json', '--format', 'github');
  const [first = ''] = text.split('\n');
  expect(first).toMatch(/^::error file=/);
  expectSafe(text, /^::error file=[^\n]*,title=[\w-]+::[^\n]*$/);
});

test('the summary in Markdown shows what the document says, and makes nothing of it', async () => {
  await run('check-breaking', '--base', 'base.json', '--summary', 'summary.md');
  const summary = readFileSync(join(root.path, 'summary.md'), 'utf8');
  expectSafe(summary);
  expect(summary).toContain('oldx');
  const outsideCode = summary.replace(/```yaml.*?```/s, '').replace(/(?<![`\\])`[^`]+`/g, '');
  expect(outsideCode).not.toMatch(/(?<!\\)<(?!br>)|(?<!\\)!\[/);
});

test('a bundle is of the same value, whatever is escaped in it', async () => {
  const { text } = await run('bundle', 'base.json');
  expect(parse(text.slice(text.indexOf('openapi:')))).toEqual(JSON.parse(readFileSync(join(root.path, 'base.json'), 'utf8')));
});

test('the record that a report proposes matches the change', async () => {
  const { text } = await run('check-breaking', '--base', 'base.json', '--json');
  const changes = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)) as Record<
    'rule' | 'at' | 'change' | 'operations',
    unknown
  >[];
  expect(changes.length).toBeGreaterThan(1);
  write(
    'spec/breaking-changes.yaml',
    JSON.stringify(changes.map(({ rule, at, change, operations }) => ({ rule, at, change, operations, reason: 'meant' }))),
  );
  expect(await run('check-breaking', '--base', 'base.json')).toMatchObject({ code: 0 });
});

test(
  'generated code compiles, has no hidden character, and keeps the values',
  async () => {
    await run('client');
    await run('client', '--out', 'sdk');
    await run('add-operation');
    const written = ['generated', 'sdk', 'src', 'test'].flatMap((folder) =>
      readdirSync(join(root.path, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
    for (const path of written.filter((name) => statSync(join(root.path, name)).isFile())) {
      const text = readFileSync(join(root.path, path), 'utf8');
      expect({ path, hidden: text.split('\n').filter((line) => UNPRINTABLE.test(line)) }).toEqual({ path, hidden: [] });
    }
    const options = {
      strict: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      types: [],
    };
    expect(
      checkTypes(root.path, ['generated/openapi.ts', 'generated/operations.ts', 'generated/client.ts', 'sdk/index.d.ts'], options),
    ).toEqual([]);
    const syntax = checkTypes(root.path, ['src/handlers/books.ts', 'src/handlers/index.ts', 'test/contract/scenarios.ts'], options);
    expect(syntax.filter(({ code }) => code.startsWith('TS1'))).toEqual([]);
    expect(JSON.parse(readFileSync(join(root.path, 'generated/document.json'), 'utf8'))).toMatchObject(documentOf());
  },
  TIMEOUT,
);
