/** Packages that changed while the loop runs: said at each save, with what to do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readProjectConfig } from '../../src/select-contracts.ts';
import type { ProjectConfig } from '../../src/project-config.ts';
import { createPackageReport } from '../../src/dev/report/report-database.ts';
import type { Screen } from '../../src/dev/report/screen.ts';

const packages = (version: string) => JSON.stringify({ packages: { 'node_modules/left': { version } } });

let project: ProjectConfig;
let sections: unknown[][];
let report: ReturnType<typeof createPackageReport>;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'packages-'));
  mkdirSync(join(root, 'node_modules/left'), { recursive: true });
  writeFileSync(join(root, 'node_modules/left/package.json'), '{}');
  writeFileSync(join(root, 'package.json'), '{"name":"test"}');
  project = readProjectConfig(root);
  sections = [];
  report = createPackageReport({ project, screen: { section: (...args: unknown[]) => void sections.push(args) } as unknown as Screen });
  write('package-lock.json', '1.0.0');
  write('node_modules/.package-lock.json', '1.0.0');
});
afterEach(() => rmSync(project.root, { recursive: true }));

const write = (file: string, version: string) => writeFileSync(join(project.root, file), packages(version));
const save = (...files: string[]) => report.report(new Set(files.map((file) => join(project.root, file))));

test('a save of other files, and of a package.json without other packages, is not mentioned', () => {
  save('src/main.ts');
  save('package.json');
  expect(sections).toEqual([]);
});

test('a branch with other packages is named until they are installed, and then the start that loads them', () => {
  write('package-lock.json', '2.0.0');
  save('package-lock.json');
  expect(sections).toEqual([['packages', expect.stringMatching(/^1 package .*: left$/), [], '`npm ci`, then Ctrl-C and `npm run dev`']]);
  save('src/main.ts');
  expect(sections).toHaveLength(2);
  write('node_modules/.package-lock.json', '2.0.0');
  save('node_modules/.package-lock.json');
  expect(sections[2]).toEqual(['packages', expect.stringMatching(/^installed anew/), [], 'Ctrl-C, then `npm run dev`']);
  save('src/main.ts');
  expect(sections[3]).toEqual(sections[2]);
});
