/** The type checker of the loop: both compilers report the same problems, and a change affects all importers. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Compiler } from '../../src/dev/compiler/compiler.ts';
import { startNative } from '../../src/dev/compiler/native-compiler.ts';
import { startPinned } from '../../src/dev/compiler/pinned-compiler.ts';
import { startCompiler } from '../../src/dev/compiler/type-checker.ts';
import { TypeChecker } from '../../src/dev/compiler/type-checker.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();
beforeEach(async () => {
  for (const folder of ['src/handlers', 'test']) await mkdir(join(root.path, folder), { recursive: true });
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', allowImportingTsExtensions: true, types: [] };
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src', 'test'] }));
  write('src/book.ts', 'export interface Book {\n  name: string;\n}\n');
  write('src/handlers/books.ts', "import type { Book } from '../book.ts';\n// 🐕 ü\nexport const rex: Book = { name: 'Rex' };\n");
  write('test/books.ts', "import { rex } from '../src/handlers/books.ts';\nexport const name: string = rex.name;\n");
  write('src/other.ts', 'export const one: number = 1;\n');
});

const write = (file: string, text: string) => root.write(file, text);
const at = (file: string) => join(root.path, file);
const nothing = { changed: [], created: [], deleted: [] };

describe.each<[string, (config: string) => Compiler | Promise<Compiler>]>([
  ['native', startNative],
  ['pinned', startPinned],
])('the %s compiler', (_, start) => {
  let compiler: Compiler;
  beforeEach(async () => {
    compiler = await start(at('tsconfig.json'));
  });
  afterEach(() => compiler.close());

  test('finds no problem in correct files', async () => {
    const files = await compiler.update(nothing);
    expect([...files].sort()).toEqual(['src/book.ts', 'src/handlers/books.ts', 'src/other.ts', 'test/books.ts'].map(at));
    for (const file of files) expect(await compiler.diagnose(file)).toEqual([]);
  });

  test('reports line, column and cause of an error', async () => {
    write('src/handlers/books.ts', "import type { Book } from '../book.ts';\n/* 🐕 ü */ export const rex: Book = { name: 1 };\n");
    await compiler.update({ ...nothing, changed: [at('src/handlers/books.ts')] });
    const file = at('src/handlers/books.ts');
    expect(await compiler.diagnose(file)).toEqual([
      { file, line: 2, column: 39, message: "Type 'number' is not assignable to type 'string'.", isSyntax: false },
    ]);
    write('src/other.ts', 'export const f: (a: { b: string }) => void = (a: { b: number }) => undefined;\n');
    await compiler.update({ ...nothing, changed: [at('src/other.ts')] });
    const [problem] = await compiler.diagnose(at('src/other.ts'));
    expect(problem?.message).toBe("b: Type 'string' is not assignable to type 'number'.");
  });

  test('reports syntax errors', async () => {
    write('src/other.ts', 'export const one = ;\n');
    await compiler.update({ ...nothing, changed: [at('src/other.ts')] });
    expect(await compiler.diagnose(at('src/other.ts'))).toMatchObject([
      { line: 1, column: 20, message: 'Expression expected.', isSyntax: true },
    ]);
  });

  test('follows files that are created and deleted', async () => {
    write('src/new.ts', 'export const two: string = 2;\n');
    expect(await compiler.update({ ...nothing, created: [at('src/new.ts')] })).toContain(at('src/new.ts'));
    expect(await compiler.diagnose(at('src/new.ts'))).toHaveLength(1);
    await rm(at('src/book.ts'));
    expect(await compiler.update({ ...nothing, deleted: [at('src/book.ts')] })).not.toContain(at('src/book.ts'));
    const [problem] = await compiler.diagnose(at('src/handlers/books.ts'));
    expect([problem?.line, problem?.message]).toEqual([1, expect.stringContaining("'../book.ts'")]);
  });
});

test('where the native compiler does not start, the pinned one checks, and the reason is reported', async () => {
  const reported: string[] = [];
  const compiler = await startCompiler(
    at('tsconfig.json'),
    (line) => reported.push(line),
    () => Promise.reject(new Error('no package for this platform')),
  );
  write('src/other.ts', 'export const one: number = "1";\n');
  expect(await compiler.diagnose(at('src/other.ts'))).toHaveLength(1);
  expect(reported).toEqual([expect.stringMatching(/slower pinned one: no package for this platform/)]);
  await compiler.close();
});

describe('after a save', () => {
  let types: TypeChecker;
  const reported: string[] = [];
  beforeEach(() => {
    types = new TypeChecker(
      {
        root: root.path,
        main: 'src/main.ts',
        databaseFolder: 'generated',
        contracts: [{ generated: 'generated', handlers: 'src/handlers' }],
      },
      (line) => reported.push(line),
    );
  });
  afterEach(() => types.close());

  const check = async (...changed: string[]) => {
    types.touch(changed.map(at));
    const { signal } = new AbortController();
    const problems = [...(await types.check('program', signal)), ...(await types.check('rest', signal))];
    return problems.map(({ file, line }) => `${file.slice(root.path.length + 1)}:${line}`);
  };

  test('errors are found wherever the change matters, the program before its tests, and disappear when they are fixed', async () => {
    expect(await check()).toEqual([]);
    write('src/book.ts', 'export interface Book {\n  name: number;\n}\n');
    expect(await check('src/book.ts')).toEqual(['src/handlers/books.ts:3', 'test/books.ts:2']);
    // Nothing has changed, so they are still there.
    expect(await check()).toEqual(['src/handlers/books.ts:3', 'test/books.ts:2']);
    write('src/book.ts', 'export interface Book {\n  name: string;\n}\n');
    expect(await check('src/book.ts')).toEqual([]);
    expect(reported).toEqual([]);
  });

  test('what cannot be parsed comes before what follows from it', async () => {
    write('src/book.ts', 'exprot interface Book {\n  name: string;\n}\n');
    expect(await check('src/book.ts')).toEqual(['src/book.ts:1', 'src/handlers/books.ts:1']);
  });

  test('a file that is gone takes its errors with it, and gives them to whoever imports it', async () => {
    write('src/other.ts', 'export const one: number = "1";\n');
    expect(await check('src/other.ts')).toEqual(['src/other.ts:1']);
    await rm(at('src/other.ts'));
    await rm(at('src/book.ts'));
    expect(await check('src/other.ts', 'src/book.ts')).toEqual(['src/handlers/books.ts:1']);
  });

  test('other compiler options are heeded', async () => {
    expect(await check()).toEqual([]);
    write('src/other.ts', 'export const f = (a) => a;\n');
    expect(await check('src/other.ts')).toEqual(['src/other.ts:1']);
    write('tsconfig.json', JSON.stringify({ compilerOptions: { noEmit: true, module: 'nodenext', types: [] }, include: ['src'] }));
    const [, ...rest] = await check('tsconfig.json');
    expect(rest).toEqual([]);
  });

  test('a check that is called off finds the rest the next time', async () => {
    write('src/other.ts', 'export const one: number = "1";\n');
    types.touch([at('src/other.ts')]);
    await types.check('program', AbortSignal.abort());
    expect(await check()).toEqual(['src/other.ts:1']);
  });
});
