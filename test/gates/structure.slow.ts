/** The packages keep their structure: arrows point down, the drawing of docs/architecture.md is that of the sources. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

interface Structure {
  readonly PACKAGES: readonly string[];
  readonly arrowsBetween: () => string[];
  readonly arrowsIn: (name: string) => string[];
}
interface Loaded {
  readonly loadedFiles: () => Readonly<Record<'atImport' | 'atResponse', { readonly lines: number; readonly packages: readonly string[] }>>;
}
const load = (file: string): Promise<unknown> => import(pathToFileURL(file).href);
const { PACKAGES, arrowsBetween, arrowsIn } = (await load('scripts/structure.mjs')) as Structure;
const { loadedFiles } = (await load('scripts/loaded-files.mjs')) as Loaded;

const ends = (arrow: string): [string, string] => arrow.split(' --> ') as [string, string];

test('there are seven packages, and what `npm create` needs', () => {
  expect(readdirSync('packages', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))).toEqual(
    [...PACKAGES, 'create-specwright'].sort(),
  );
});

test('an arrow between packages points down', () => {
  const arrows = arrowsBetween().map(ends);
  expect(arrows.length).toBeGreaterThan(5);
  expect(arrows.filter(([from, to]) => PACKAGES.indexOf(from) >= PACKAGES.indexOf(to))).toEqual([]);
});

test.each(['server', 'contract'])('no two folders of %s import each other', (name) => {
  const arrows = new Set(arrowsIn(name));
  expect(arrows.size).toBeGreaterThan(10);
  expect([...arrows].map(ends).filter(([from, to]) => from < to && arrows.has(`${to} --> ${from}`))).toEqual([]);
});

test('docs/architecture.md draws the structure that the sources have', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/structure.mjs', '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

/**
 * Those of our sources. They may only fall: asked for are 9,500 and 14,000. The second has what a server loads in idle time, soon after it
 * listens (`refuse-socket.ts`), which on a busy machine is before the first response.
 */
const MAX_LINES = { atImport: 5_250, atResponse: 14_270 };

test('what an import of the server loads needs no package, and its pipeline is loaded for a server', () => {
  const { atImport, atResponse } = loadedFiles();
  expect(atImport.packages).toEqual([]);
  expect(atImport.lines).toBeLessThanOrEqual(MAX_LINES.atImport);
  expect(atResponse.lines).toBeGreaterThan(2 * atImport.lines);
  expect(atResponse.lines).toBeLessThanOrEqual(MAX_LINES.atResponse);
});
