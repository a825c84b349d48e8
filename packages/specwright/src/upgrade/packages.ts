/** Where packages come from: tarballs of a release, of a project's `vendor/`, or of the registry. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tarball } from '../new/tarballs.ts';

const run = promisify(execFile);

const folders: string[] = [];

/** A temporary folder, removed when the process ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-upgrade-'));
  if (folders.push(folder) === 1) process.once('exit', removeTemporaryFolders);
  return folder;
}

/** Removes what was unpacked and downloaded; a program that ends does so by itself. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Unpacks a tarball of npm. @returns the folder of the package. @throws Error if it cannot be read. */
export async function unpack(tarball: string): Promise<string> {
  const folder = temporaryFolder();
  await run('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}

export async function readManifest(folder: string): Promise<{ name: string; version: string }> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name: string; version: string };
}

/** The tarballs of a folder, each with its name and version. */
export async function tarballsIn(folder: string): Promise<Tarball[]> {
  const files = readdirSync(folder).filter((name) => name.startsWith('specwright-') && name.endsWith('.tgz'));
  return Promise.all(
    files.map(async (name) => {
      const file = join(folder, name);
      const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json']);
      const manifest = JSON.parse(stdout) as { name: string; version: string };
      return { name: manifest.name, version: manifest.version, file };
    }),
  );
}

/** Downloads packages. @param specs `specwright@latest` @throws Error if the registry does not have one. */
export async function download(specs: readonly string[], cwd: string): Promise<Tarball[]> {
  const folder = temporaryFolder();
  try {
    await run('npm', ['pack', '--silent', '--pack-destination', folder, ...specs], { cwd, shell: process.platform === 'win32' });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`the registry has no ${specs.join(', ')}: ${stderr.trim().split('\n')[0] ?? ''}`, { cause: error });
  }
  return tarballsIn(folder);
}
