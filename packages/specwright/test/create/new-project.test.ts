/** A new project is the template, filled in: nothing of a document that it is made from becomes code. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource, readDocument } from '@specwright/contract/document';
import ts from 'typescript';
import { parse } from 'yaml';
import { TEMPLATE } from '../../src/new/template.ts';
import { writeProject } from '../../src/new/new-project.ts';
import { requireEmpty } from '../../src/new/target-folder.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const folder = withFolder();

function filesIn(root: string): string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(root, path)).isFile());
  return paths.filter((path) => !/^(node_modules|\.data|\.cache)\//.test(path)).sort();
}

test("of the template's own contract a project is made that is the template", async () => {
  const source = readDocument(join(TEMPLATE, 'spec/openapi.yaml'));
  const said: string[] = [];
  const options = { source, name: 'template-service', tarballs: [], accounts: false };
  const { count } = await writeProject(folder.path, options, (line) => void said.push(line));
  expect(count).toBe(filesIn(folder.path).length);
  const [, documented = ''] = /in about (\d+) files/.exec(readFileSync('docs/how-to/your-spec.md', 'utf8')) ?? [];
  expect(Math.abs(Number(documented) - count)).toBeLessThanOrEqual(5);
  expect(said.map((line) => line.split(' ', 1)[0])).toEqual(['generating', 'linting', 'making']);
  const renamed: Record<string, string> = { gitignore: '.gitignore', npmrc: '.npmrc' };
  expect(filesIn(folder.path)).toEqual(
    filesIn(TEMPLATE)
      .map((path) => renamed[path] ?? path)
      .sort(),
  );
  for (const path of filesIn(TEMPLATE)) {
    const made = readFileSync(join(folder.path, renamed[path] ?? path), 'utf8');
    if (path === 'package.json') {
      expect(JSON.parse(made)).toEqual(JSON.parse(readFileSync(join(TEMPLATE, path), 'utf8')));
      continue;
    }
    // The lint baseline is of the day it was made.
    const lines = made.split('\n').filter((line) => !/\d problems? on \d{4}-/.test(line));
    // Without tarballs it depends on the versions of the registry: there is no vendor/.
    const expected = readFileSync(join(TEMPLATE, path), 'utf8').split('\n').filter((line) => !/^(COPY vendor vendor|!vendor|vendor\/ .*)$/.test(line)); // prettier-ignore
    expect([path, lines]).toEqual([path, expected]);
  }
}, 180_000);

const BREAK = '*/ \'"`${INJECTED()}\n\r\u2028INJECTED();//\\';
const HOSTILE = JSON.stringify({
  openapi: '3.0.3',
  info: { title: `$& $1 ${BREAK} <b>`, version: BREAK, description: BREAK },
  tags: [{ name: BREAK }],
  paths: {
    [`/a${BREAK}`]: {
      get: {
        operationId: `op${BREAK}`,
        tags: [BREAK],
        summary: BREAK,
        description: BREAK,
        security: [{ [`key${BREAK}`]: [] }],
        parameters: [{ name: `q${BREAK}`, in: 'query', description: BREAK, schema: { type: 'string', enum: [BREAK], default: BREAK } }],
        responses: {
          200: {
            description: BREAK,
            headers: { [`X${BREAK}`]: { description: BREAK, schema: { type: 'string' } } },
            content: {
              [`application/json; x=${BREAK}`]: { schema: { type: 'object', properties: { [BREAK]: { type: 'string', title: BREAK } } } },
            },
          },
          default: { description: BREAK, content: { 'application/json': { schema: { properties: { message: { type: 'string' } } } } } },
        },
      },
    },
    '/b': { post: { tags: [BREAK], summary: BREAK, responses: { 204: { description: BREAK } } } },
  },
  components: { securitySchemes: { [`key${BREAK}`]: { type: 'apiKey', in: 'header', name: 'X-Key', description: BREAK } } },
});

/** The names and the syntax errors of a file: what is in a string or a comment is neither. */
function codeOf(file: string): { names: string[]; errors: string[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text);
    node.forEachChild(visit);
  };
  visit(source);
  const { diagnostics = [] } = ts.transpileModule(source.text, { reportDiagnostics: true, fileName: file });
  return { names, errors: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')) };
}

test('whatever is in a document stays in strings and comments', async () => {
  folder.write('hostile.json', HOSTILE);
  const source = parseSource('hostile.json', HOSTILE);
  const project = join(folder.path, 'project');
  await writeProject(project, { source, name: 'hostile', tarballs: [], accounts: false });
  const code = filesIn(project).filter((path) => path.endsWith('.ts'));
  expect(code.length).toBeGreaterThan(15);
  expect(code.filter((path) => readFileSync(join(project, path), 'utf8').includes('INJECTED')).length).toBeGreaterThan(3);
  for (const path of code) {
    const { names, errors } = codeOf(join(project, path));
    expect([path, errors, names.filter((name) => name.includes('INJECTED'))]).toEqual([path, [], []]);
  }
  expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).toMatchObject({ description: expect.stringContaining('$& $1') });
  expect(readFileSync(join(project, 'README.md'), 'utf8')).toMatch(/^# \$& \$1 /);
  for (const path of filesIn(project).filter((name) => name.endsWith('.yml') || (name.endsWith('.yaml') && name !== 'spec/openapi.yaml')))
    expect(() => void parse(readFileSync(join(project, path), 'utf8'))).not.toThrow();
}, 180_000);

test('a project that cannot be completed leaves nothing behind, and the folder that was there stays', async () => {
  const text =
    'openapi: 3.0.3\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { operationId: a, responses: { 204: { description: None. } } } } }\n';
  const source = parseSource('openapi.yaml', text);
  const fail = (line: string) => {
    if (line.startsWith('linting')) throw new Error('the linter ended');
  };
  const write = (name: string) => writeProject(join(folder.path, name), { source, name: 'half', tarballs: [], accounts: false }, fail);
  await expect(write('new')).rejects.toThrow('the linter ended');
  expect(readdirSync(folder.path)).toEqual([]);
  mkdirSync(join(folder.path, 'empty/.git'), { recursive: true });
  expect(() => requireEmpty(join(folder.path, 'empty'))).not.toThrow();
  await expect(write('empty')).rejects.toThrow('the linter ended');
  expect(readdirSync(join(folder.path, 'empty'))).toEqual(['.git']);
  folder.write('empty/README.md', '');
  expect(() => requireEmpty(join(folder.path, 'empty'))).toThrow('is not empty');
}, 60_000);

test.each(['', '-jwt', '-accounts'])("a project's own tests do not end with the production's request timeout: template%s", (kind) => {
  const app = readFileSync(join(`${TEMPLATE.replace(/\/$/, '')}${kind}`, 'test/support/app.ts'), 'utf8');
  const [, given = '0'] = /REQUEST_TIMEOUT_MS = '(\d+)'/.exec(app) ?? [];
  const [, production = '0'] = /`REQUEST_TIMEOUT` +\| `(\d+)`/.exec(readFileSync(join(TEMPLATE, 'README.md'), 'utf8')) ?? [];
  expect(app).toContain('REQUEST_TIMEOUT: TEST_REQUEST_TIMEOUT_MS');
  expect(Number(given)).toBeGreaterThanOrEqual(10 * Number(production));
  expect(Number(production)).toBeGreaterThan(0);
});
