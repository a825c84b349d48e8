/** The examples stay small and independent: declared packages in the versions of this repository, a short README, a line in docs/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

type Manifest = Readonly<Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>> & {
  readonly description: string;
};
const read = (file: string) => readFileSync(file, 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Manifest;
const versionsOf = ({ dependencies, devDependencies, optionalDependencies }: Manifest) => ({ ...dependencies, ...devDependencies, ...optionalDependencies }); // prettier-ignore

const EXAMPLES = readdirSync('examples').map((name) => join('examples', name));
const root = versionsOf(manifestOf('.'));
const MAX_README_LINES = 25;
const MAX_LINES = 400;

const isBuilt = (path: string) => /(^|[/\\])(node_modules|generated|\.build|\.data)[/\\]/.test(path);
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() && !isBuilt(path) ? [path] : [];
  });

test.each(EXAMPLES)('%s has a short README, one test, and few lines', (folder) => {
  const files = filesOf(folder);
  const lines = (file: string) => read(file).split('\n').length;
  expect(lines(join(folder, 'README.md'))).toBeLessThanOrEqual(MAX_README_LINES);
  expect(files.filter((file) => file.endsWith('.test.ts'))).toHaveLength(1);
  expect(files.reduce((sum, file) => sum + lines(file), 0)).toBeLessThanOrEqual(MAX_LINES);
});

test.each(EXAMPLES)('%s depends on the versions that this repository is tested with', (folder) => {
  const versions = Object.entries(versionsOf(manifestOf(folder)));
  // The compiler of the repository has another name, since the tools use the former one.
  const expected = versions.map(([name, version]) => [name, name === 'typescript' && version !== root[name] ? root['typescript-native']?.split('@').pop() : root[name]]); // prettier-ignore
  expect(versions).toEqual(expected);
});

test.each(EXAMPLES)('%s declares each package that it imports, and imports nothing outside of its folder', (folder) => {
  const sources = filesOf(folder).filter((file) => file.endsWith('.ts'));
  const imported = sources.flatMap((file) =>
    [...read(file).matchAll(/(?:from |import\(|import )'([^']+)'/g)].flatMap(([, name = '']) => (name.startsWith('node:') ? [] : [name])),
  );
  expect(imported.filter((name) => name.startsWith('..'))).toEqual([]);
  const packages = imported.filter((name) => !name.startsWith('./')).map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  expect(packages.length).toBeGreaterThan(0);
  expect(Object.keys(versionsOf(manifestOf(folder)))).toEqual(expect.arrayContaining(packages));
});

test('docs/README.md lists each', () => {
  const listed = [...read('docs/README.md').matchAll(/\]\(\.\.\/(examples\/[\w-]+)\/README\.md\)/g)].map(([, folder]) => folder);
  expect([...new Set(listed)].sort()).toEqual([...EXAMPLES].sort());
});

test('the README begins with hello', () => {
  const [, section = ''] = /^## (Hello\n[^]*?)\n## /m.exec(read('README.md')) ?? [];
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```/gm)].map(([, language = '', text = '']) => [language, text] as const);
  expect(blocks.map(([language]) => language)).toEqual(['yaml', 'ts', 'sh', 'sh']);
  const lines = blocks.reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length, 0);
  expect(lines).toBeLessThanOrEqual(20);
  const [contract, handler, , curl] = blocks.map(([, text]) => text);
  expect(read('examples/hello/openapi.yaml')).toContain(contract);
  expect(read('examples/hello/server.ts')).toContain(handler);
  expect(read('examples/hello/README.md')).toContain(curl);
});
