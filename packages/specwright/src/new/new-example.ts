/** Makes a project of an example: copies its files, installs its packages, and runs its test. */
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { quotedPath } from '@specwright/contract/document';
import { UsageError, print } from '@specwright/server/command';
import { writeFile } from '../files/write-files.ts';
import { copyExample, listExamples } from './examples.ts';
import { type Step, runSteps } from './target-folder.ts';
import { type Tarball, isFromRegistry, packTarballs, packagesOf } from './tarballs.ts';
import { near, requireEmpty } from './target-folder.ts';
import { formatJson } from './template.ts';

const STEPS: readonly Step[] = [
  { title: 'installing the packages', npm: ['install', '--no-audit', '--no-fund'] },
  { title: 'running the test', npm: ['test'] },
];

const GITIGNORE = 'node_modules/\ngenerated/\n.build/\n.data/\n';

export interface NewExampleOptions {
  readonly example: string;
  /** Where it goes: an empty folder, or one that does not exist yet. */
  readonly target: string;
  readonly install: boolean;
}

/** @throws UsageError for an unknown example, Error if the folder cannot be written or a step in it fails. */
export async function newExample({ example, target, install }: NewExampleOptions): Promise<void> {
  const names = listExamples();
  if (!names.includes(example)) throw new UsageError(`there is no example ${example}: use one of ${names.join(', ')}`);
  const folder = resolve(target);
  requireEmpty(folder);
  copyExample(example, folder);
  writeFile(folder, '.gitignore', GITIGNORE);
  if (!isFromRegistry()) await addTarballs(folder);

  const remaining = install ? await runSteps(folder, STEPS) : STEPS;
  const todo = [`cd ${quotedPath(near(folder))}`, ...remaining.map(({ npm }) => `npm ${npm.join(' ')}`), 'npm start'];
  const next = `Next:\n${todo.map((line) => `  ${line}`).join('\n')}\nREADME.md says what to try.`;
  if (install && remaining.length > 0) throw new Error(`the example is there, but a step failed (see above). ${next}`);
  print(`\n${next}`);
}

type Manifest = Readonly<Partial<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>>;

/** What the registry does not have yet is in `vendor/`. */
async function addTarballs(folder: string): Promise<void> {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const packages = packagesOf(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  const tarballs = await packTarballs(packages, (line) => print(line));
  for (const tarball of tarballs) writeFile(folder, join('vendor', basename(tarball.file)), readFileSync(tarball.file));
  writeFile(folder, file, formatJson(withTarballs(manifest, tarballs)));
}

function withTarballs({ dependencies, devDependencies = {}, ...manifest }: Manifest, tarballs: readonly Tarball[]): Manifest {
  const vendored = Object.fromEntries(tarballs.map((tarball) => [tarball.name, `file:vendor/${basename(tarball.file)}`]));
  const others = Object.fromEntries(Object.entries(devDependencies).filter(([name]) => vendored[name] === undefined));
  return { ...manifest, dependencies: { ...dependencies, ...vendored }, devDependencies: others };
}
