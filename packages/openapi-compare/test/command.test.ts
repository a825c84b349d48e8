/** `openapi-compare OLD NEW`: what it prints in each format, and its exit codes, for files and for files of a commit. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '../src/command.ts';
import { OUTPUT_FORMATS } from '../src/output-formats.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const OLD = `openapi: 3.0.3
info: { title: Books, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 100 } }]
      responses: { '200': { description: ok } }
`;
const BREAKING = OLD.replace('maximum: 100', 'maximum: 50');
const HARMLESS = OLD.replace('maximum: 100', 'maximum: 200');
const RECORD = `- rule: schema-constraint-changed
  at: '#/paths/~1books/get/parameters/0/schema/maximum'
  change: 'GET /books, query parameter \`limit\`: \`maximum\` lowered from \`100\` to \`50\`.'
  operations:
    - GET /books
  reason: Nobody asked for more.
`;

const folder = withFolder();
const cwd = process.cwd();
beforeEach(() => {
  process.chdir(folder.path);
  write('old.yaml', OLD);
  write('breaking.yaml', BREAKING);
  write('harmless.yaml', HARMLESS);
});
afterEach(() => {
  process.chdir(cwd);
});

const { write } = folder;

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(args, { print: (text) => out.push(text), printError: (text) => err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('the exit code', () => {
  test.each([
    ['breaking.yaml', undefined, 0],
    ['breaking.yaml', 'breaking', 1],
    ['breaking.yaml', 'any', 1],
    ['harmless.yaml', 'breaking', 0],
    ['harmless.yaml', 'any', 1],
    ['old.yaml', 'breaking', 0],
    ['old.yaml', 'any', 0],
  ])('of old.yaml and %s with --fail-on %s is %s', async (working, failOn, code) => {
    const option = failOn === undefined ? [] : ['--fail-on', failOn];
    expect(await run('old.yaml', working, ...option)).toMatchObject({ code, err: '' });
  });

  test.each([
    [['old.yaml'], 'two documents are compared: OLD NEW\nRun openapi-compare --help'],
    [['old.yaml', 'old.yaml', 'old.yaml'], 'unexpected argument old.yaml'],
    [['old.yaml', 'breaking.yaml', '--fail-on', 'error'], '--fail-on error: must be breaking or any'],
    [['old.yaml', 'breaking.yaml', '--format', 'html'], '--format html: must be text, json, markdown, sarif or github'],
    [['old.yaml', 'breaking.yaml', '--fail-onn'], 'unknown option --fail-onn: did you mean --fail-on?'],
    [['old.yaml', 'missing.yaml'], 'missing.yaml'],
    [['missing.yaml', 'old.yaml'], 'missing.yaml'],
    [['main:old.yaml', 'old.yaml'], 'main:old.yaml: there is no such file, and git has no file old.yaml in main'],
  ])('of %j is 2, with the reason', async (args, message) => {
    expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  test('of a new document that is not valid is 2, with the lines of its problems', async () => {
    write('invalid.yaml', OLD.replace('type: integer', 'type: number, maximum: x').replace(', maximum: 100', ''));
    expect(await run('old.yaml', 'invalid.yaml')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/invalid\.yaml:7:\d+ /) });
  });
});

describe('the report', () => {
  test('is text, with both locations and what else has changed', async () => {
    write('new.yaml', BREAKING.replace("'200': {", "'404': { description: none }, '200': {"));
    const { out } = await run('old.yaml', 'new.yaml');
    expect(out)
      .toBe(`new.yaml:7:71  GET /books, query parameter \`limit\`: \`maximum\` lowered from \`100\` to \`50\`. (schema-constraint-changed)
    before:  old.yaml:7:71
    in:      GET /books
    impact:  requests that were valid are refused with 400
    instead: keep what was accepted, or offer an operation or a version that is stricter
other changes:
  added       GET /books: response 404 added
new.yaml: 1 breaking change against old.yaml; 1 other change`);
  });

  test('is JSON with the breaking changes and all changes', async () => {
    const { out } = await run('old.yaml', 'breaking.yaml', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({
      base: 'old.yaml',
      working: 'breaking.yaml',
      breaking: [{ rule: 'schema-constraint-changed', working: { file: 'breaking.yaml', line: 7 }, base: { file: 'old.yaml', line: 7 } }],
      changes: [{ kind: 'changed', breaking: { rule: 'schema-constraint-changed' }, operations: ['GET /books'] }],
    });
  });

  test('is SARIF, whose URIs are those of the files', async () => {
    write('my specs/new.yaml', BREAKING);
    const { out } = await run('old.yaml', 'my specs/new.yaml', '--format', 'sarif');
    const location = { artifactLocation: { uri: 'my%20specs/new.yaml' }, region: { startLine: 7, startColumn: 71 } };
    expect(JSON.parse(out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'openapi-compare', rules: [{ id: 'schema-constraint-changed' }] } },
          results: [{ ruleId: 'schema-constraint-changed', level: 'error', locations: [{ physicalLocation: location }] }],
        },
      ],
    });
  });

  test('is Markdown, or annotations of a workflow', async () => {
    expect((await run('old.yaml', 'breaking.yaml', '--format', 'markdown')).out).toMatch(
      /^## Breaking changes\n\n1 breaking change in `breaking\.yaml`[^]*\| :x: \|/,
    );
    expect((await run('old.yaml', 'harmless.yaml', '--format', 'markdown')).out).toMatch(
      /## Other changes\n\n- \*\*changed\*\*: GET \/books/,
    );
    expect((await run('old.yaml', 'breaking.yaml', '--format', 'github')).out).toMatch(/^::error file=breaking\.yaml,line=7,col=71,/);
  });

  test('names in each format what its help lists', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const format of Object.keys(OUTPUT_FORMATS)) expect(out).toMatch(new RegExp(`\\b${format}\\b`));
    expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('has no control character and no command of CI from the documents', async () => {
    write('hostile.yaml', BREAKING.replace('/books:', '"/books\\n::error::x\\e[31m":'));
    for (const format of Object.keys(OUTPUT_FORMATS)) {
      const { out } = await run('old.yaml', 'hostile.yaml', '--format', format);
      expect([format, out.includes('\u001b'), /^::error::x/m.test(out)]).toEqual([format, false, false]);
    }
  });
});

describe('a record of intended changes', () => {
  test('makes a change pass, with its reason, and one that matches nothing is a note', async () => {
    write('intended.yaml', RECORD);
    const options = ['--records', 'intended.yaml', '--fail-on', 'breaking'];
    const recorded = await run('old.yaml', 'breaking.yaml', ...options);
    expect(recorded).toMatchObject({ code: 0, out: expect.stringContaining('recorded: Nobody asked for more.') });
    const stale = await run('old.yaml', 'harmless.yaml', ...options);
    expect(stale).toMatchObject({ code: 0, out: expect.stringContaining('note: intended.yaml records schema-constraint-changed') });
  });

  test('that does not exist yet is printed to be copied', async () => {
    const { code, out } = await run('old.yaml', 'breaking.yaml', '--records', 'intended.yaml', '--fail-on', 'breaking');
    expect(code).toBe(1);
    const printed = out.split('\n').filter((line) => /^ {13}/.test(line));
    expect(`${printed.map((line) => line.slice(13)).join('\n')}\n`).toBe(RECORD.replace('Nobody asked for more.', "''"));
  });
});

describe('the old document in git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder.path, stdio: 'ignore' });
  const PART = '{ name: limit, in: query, schema: { type: integer, maximum: 100 } }';
  const inParts = OLD.replace(PART, "{ $ref: '../parts/limit.yaml' }");

  beforeEach(() => {
    write('spec/openapi.yaml', inParts);
    write('parts/limit.yaml', PART);
    write('package.json', '{}');
    git('init', '--initial-branch=main');
    git('add', '.');
    git('commit', '-m', 'first');
    write('parts/limit.yaml', PART.replace('100', '50'));
  });

  test.each([
    ['the root', '.', 'main:spec/openapi.yaml', 'spec/openapi.yaml'],
    ['its folder', 'spec', 'main:./openapi.yaml', 'openapi.yaml'],
    ['another folder', 'parts', 'main:../spec/openapi.yaml', '../spec/openapi.yaml'],
  ])('is compared with its parts as they were, from %s', async (_from, current, base, working) => {
    process.chdir(join(folder.path, current));
    const { code, out } = await run(base, working, '--fail-on', 'breaking');
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('`maximum` lowered from `100` to `50`') });
    expect(out).toContain('before:  ');
  });

  test('is read through a link, and where a hook of git runs', async () => {
    mkdirSync('api');
    symlinkSync('../spec/openapi.yaml', 'api/linked.yaml');
    git('add', '.');
    git('commit', '-m', 'second');
    process.env['GIT_DIR'] = '.git';
    try {
      process.chdir('spec');
      expect(await run('HEAD~1:./openapi.yaml', 'openapi.yaml', '--fail-on', 'breaking')).toMatchObject({ code: 1 });
      expect(await run('main:api/linked.yaml', 'openapi.yaml')).toMatchObject({ code: 0 });
    } finally {
      delete process.env['GIT_DIR'];
    }
  });

  test.each(['main:spec/none.yaml', 'none:spec/openapi.yaml'])('%s is not found', async (base) => {
    expect(await run(base, 'spec/openapi.yaml')).toMatchObject({ code: 2, err: expect.stringContaining(`${base}: there is no such file`) });
  });
});
