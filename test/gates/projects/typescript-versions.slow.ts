/** The tool beside a project's own TypeScript: one is bundled into the tool, so that a project may have any version. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { withFolder } from '../../support/tools/folder.ts';

const run = promisify(execFile);
const PACKAGES = ['contract', 'server', 'embedded-postgres', 'postgres', 'openapi-compare', 'specwright'];

const folder = withFolder('all tests');
let tarballs: Readonly<Record<string, string>>;

beforeAll(async () => {
  const packed = await Promise.all(
    PACKAGES.map((name) => run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path, `./packages/${name}`])),
  );
  const files = packed.map(({ stdout }) => (JSON.parse(stdout) as { name: string; filename: string }[])[0]);
  tarballs = Object.fromEntries(files.map((file) => [file?.name ?? '', `file:${join(folder.path, file?.filename ?? '')}`]));
}, scaleTimeout(120_000));

test.each(['5.9.3', '6', '7'])(
  'a project with TypeScript %s can install the tool, which brings no other version',
  async (version) => {
    const project = await mkdtemp(join(folder.path, 'project-'));
    const devDependencies = { ...tarballs, typescript: version };
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, devDependencies }));
    // ERESOLVE is found while versions are chosen: nothing has to be downloaded.
    await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project });
    const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { version: string } | undefined>>;
    };
    expect(packages['node_modules/typescript']?.version).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')}`));
    expect(Object.keys(packages).filter((path) => path.endsWith('node_modules/typescript'))).toEqual(['node_modules/typescript']);
  },
  scaleTimeout(180_000),
);
