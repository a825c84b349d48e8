/**
 * The only writer of files: whole or not at all, never through a symbolic link, never outside of the folder that a command may write in.
 * A checkout is a stranger's text: its links and its `specwright.generated` must not choose which of a person's files are replaced.
 */
import { randomBytes } from 'node:crypto';
import {
  type Stats,
  appendFileSync,
  chmodSync,
  chownSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** `root` is the folder that a command may write in: of a project, or one that a person has named. */
type Root = string;

export interface WriteOptions {
  /** Of a new file: `0o755` for a program. A file that is replaced keeps its own. */
  readonly mode?: number;
  /** Fails if the file exists, also if it is made at this moment. */
  readonly isNew?: boolean;
}

/**
 * Replaces a file as a whole: whoever reads it gets what was there before, or all of the new content.
 *
 * @param path absolute, or from `root`. Its folders are made.
 * @throws Error for a link or a place outside of `root`, with where it leads.
 */
export function writeFile(
  root: Root,
  path: string,
  content: string | Uint8Array,
  { mode = 0o666, isNew = false }: WriteOptions = {},
): void {
  const target = assertWritable(root, path);
  makeFolder(root, dirname(target));
  // Not even a file of the last moment is overwritten.
  if (isNew) closeSync(openSync(target, 'wx', mode));
  const replaced = statsOf(target);
  // Not one of the names that `dev` watches.
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      writeFileSync(file, content);
      if (replaced !== undefined) fchmodSync(file, replaced.mode & 0o7777);
    } finally {
      closeSync(file);
    }
    if (replaced !== undefined) keepOwner(temporary, replaced);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (isNew) rmSync(target, { force: true });
    throw error;
  }
}

/** Adds to the end of a file, which others may add to as well. @throws Error as `writeFile` does. */
export function appendToFile(root: Root, path: string, text: string): void {
  const target = assertWritable(root, path);
  makeFolder(root, dirname(target));
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants as Partial<typeof constants>;
  const file = openSync(target, (O_APPEND ?? 0) | (O_CREAT ?? 0) | (O_WRONLY ?? 0) | (O_NOFOLLOW ?? 0));
  try {
    appendFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Removes a file, if it is there. A link is removed, not what it leads to. @throws Error for a place outside of `root`. */
export function removeFile(root: Root, path: string): void {
  rmSync(assertInside(root, path), { force: true });
}

/** Makes a folder and those above it. @throws Error for a link that leads outside of `root`, and for a place there. */
export function makeFolder(root: Root, path: string): void {
  makeFolders(assertInside(root, join(resolve(root, path), '.')));
}

/** What is in a folder, beside its repository of git: none of that is for a command. */
export const entriesOf = (folder: string): string[] => readdirSync(folder).filter((name) => name !== '.git');

/** Empties a folder that a person has named for new files; removes it if it was made for them. A repository of git stays. */
export function removeFolder(root: Root, keepsFolder: boolean): void {
  if (statsOf(root)?.isDirectory() !== true) return;
  if (keepsFolder) for (const entry of entriesOf(root)) rmSync(join(root, entry), { recursive: true });
  else rmSync(root, { recursive: true });
}

/** Sets the time of a file to now, so that whatever watches it sees a change. */
export function touchFile(root: Root, path: string): void {
  const now = new Date();
  utimesSync(assertWritable(root, path), now, now);
}

/** A new folder for temporary files, which nobody else can have made. @param mode by default only this user gets in. */
export function temporaryFolder(prefix: string, { mode = 0o700 } = {}): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(path, mode);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * The folder that a command may write in for a path of its command line: the person has said where. Links are refused there too.
 *
 * @param path a file or folder that an option names, from `cwd`. @returns `cwd` if it is in there, else the folder itself, or that of the file.
 */
export function rootOfArgument(path: string, kind: 'file' | 'folder', cwd = process.cwd()): Root {
  const target = resolve(cwd, path);
  assertNoLink(target, path);
  if (!isInside(cwd, target)) return kind === 'file' ? dirname(target) : target;
  assertInside(cwd, target);
  return resolve(cwd);
}

/**
 * Checks what `writeFile` does without writing, for a command that writes all of its files or none.
 *
 * @returns the absolute path. @throws Error for a link or a place outside of `root`, with where it leads, and for what is no file.
 */
export function assertWritable(root: Root, path: string): string {
  const target = assertInside(root, path);
  assertNoLink(target, shown(root, target));
  const stats = statsOf(target);
  if (stats !== undefined && !stats.isFile())
    throw new Error(`${shown(root, target)} is not a file: nothing was written. Name another path, or remove it`);
  return target;
}

/** @returns the absolute path. @throws Error if the path, or a link among the folders above it, leads outside of `root`. */
function assertInside(root: Root, path: string): string {
  const target = resolve(root, path);
  const name = shown(root, target);
  if (!isInside(root, target))
    throw new Error(
      `${path} is ${target}, outside of ${resolve(root)}: nothing was written. Choose a path inside, or name one where a command has an option for it`,
    );
  const real = statsOf(root) === undefined ? undefined : realpathSync(root);
  let folder = resolve(root);
  for (const part of relative(folder, dirname(target)).split(sep)) {
    if (part === '') continue;
    if (part === '.git') throw new Error(`${name} is in the repository of git: nothing was written. Choose another folder`);
    folder = join(folder, part);
    const stats = statsOf(folder);
    if (stats === undefined) break;
    if (!stats.isSymbolicLink()) continue;
    const leads = destination(folder);
    if (real === undefined || !isInside(real, leads))
      throw new Error(
        `${shown(root, folder)} is a symbolic link to ${leads}, outside of ${resolve(root)}: ${name} was not written. ` +
          'Remove the link, or choose another folder',
      );
    if (relative(real, leads).split(sep).includes('.git'))
      throw new Error(`${shown(root, folder)} is a symbolic link to ${leads}, in the repository of git: ${name} was not written`);
  }
  return target;
}

function assertNoLink(target: string, name: string): void {
  if (statsOf(target)?.isSymbolicLink() === true)
    throw new Error(
      `${name} is a symbolic link to ${destination(target)}: nothing was written. Remove the link, or name the path that it leads to`,
    );
}

/** `root` itself, or something in it. */
function isInside(root: string, path: string): boolean {
  const between = relative(root, path);
  return between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

const statsOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Below a file there is nothing.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** Where a link leads, also if there is nothing. */
function destination(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return 'nothing that exists';
  }
}

const shown = (root: Root, target: string): string => (isInside(root, target) ? relative(root, target) || target : target);

/** Node's own `recursive` never ends where the file system refuses a folder as one that does not exist, as /proc does. */
function makeFolders(path: string): void {
  if (statsOf(path) !== undefined) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process has made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A file that an administrator replaces stays that of its owner. */
function keepOwner(temporary: string, { uid, gid }: Stats): void {
  if (process.getuid?.() !== 0) return;
  chownSync(temporary, uid, gid);
}
