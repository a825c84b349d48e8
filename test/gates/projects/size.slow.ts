/** How much npm installs for a new project: packages, and what they take on a disk. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyNewProject, NEW_PROJECT_TIMEOUT_MS, type NewProject } from '../../support/projects/new-project.ts';

const MEBIBYTE = 2 ** 20;
/** As `du` counts. */
const BLOCK = 4096;

/** What files take, each once: installed programs are linked. */
function megabytesOf(folders: readonly string[]): number {
  const sizes = new Map<number, number>();
  for (const folder of folders)
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const { ino, size } = lstatSync(join(folder, path));
      sizes.set(ino, Math.ceil(size / BLOCK) * BLOCK);
    }
  return Math.round([...sizes.values()].reduce((sum, size) => sum + size, 0) / MEBIBYTE);
}

interface InstalledPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
}

let project: NewProject;
beforeAll(async () => {
  project = await copyNewProject('plain');
}, NEW_PROJECT_TIMEOUT_MS);
afterAll(() => project.remove());

/** By their folders, from the root of the project. */
const installed = (): Readonly<Record<string, InstalledPackage>> =>
  (
    JSON.parse(readFileSync(join(project.folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, InstalledPackage>;
    }
  ).packages;

/** The folders of a package and of what it brings, without what is for one platform. */
function broughtBy(name: string): string[] {
  const packages = installed();
  const found = new Set([`node_modules/${name}`]);
  for (const path of found)
    for (const dependency of Object.keys(packages[path]?.dependencies ?? {}))
      found.add([`${path}/node_modules/${dependency}`, `node_modules/${dependency}`].find((one) => one in packages) ?? path);
  return [...found];
}

test('a new project has at most 550 packages, and 290 MB: the database, two compilers, the linter and the runner of tests among them', () => {
  expect(Object.keys(installed()).length).toBeLessThanOrEqual(550);
  expect(megabytesOf([join(project.folder, 'node_modules')])).toBeLessThanOrEqual(290);
});

test('of them the tool brings at most 155 packages, and 85 MB', () => {
  const found = broughtBy('specwright');
  expect(found).toEqual(expect.arrayContaining(['node_modules/@specwright/server', 'node_modules/knex']));
  expect(found.length).toBeLessThanOrEqual(155);
  expect(megabytesOf(found.map((path) => join(project.folder, path)))).toBeLessThanOrEqual(85);
});
