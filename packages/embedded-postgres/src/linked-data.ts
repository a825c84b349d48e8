/** The data of a checkout that only root can enter: it is in a shared folder, and `.data/postgres` is a link to it. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, readdir, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';
import { isPostmaster, readPidFile } from './postmaster.ts';
import { isAlive, type SystemUser } from './child-process.ts';
import { sharedFolder } from './system-user.ts';

const BACK_REFERENCE = 'checkout.json';

/** Written beside linked data: the checkout that it belongs to. */
interface BackReference {
  /** Path of the link to the data. */
  link: string;
  /** Device and inode of the checkout's folder: another folder may have the same path later. */
  checkout: string;
  /** The process that is creating the folder, until the link to it exists. */
  creator?: number;
}

/** Creates a folder for the data that `link` will point to. @throws EmbeddedError if there is no place for it. */
export async function createLinkedFolder(link: string, user: SystemUser): Promise<string> {
  const parent = join(await sharedFolder(user), 'data');
  await mkdir(parent, { recursive: true, mode: 0o711 });
  await removeOrphans(parent);
  const folder = join(parent, randomBytes(6).toString('hex'));
  await mkdir(folder, { mode: 0o711 });
  const reference: BackReference = { link, checkout: await identity(checkoutOf(link)), creator: process.pid };
  await writeFile(join(folder, BACK_REFERENCE), JSON.stringify(reference));
  return folder;
}

/**
 * Checks that the data behind `link` belongs to this checkout, and records its new path if the checkout was moved. Links
 * made by hand, to keep the data on another disk, have no back-reference and are left alone.
 *
 * @throws EmbeddedError if this checkout is a copy of the one that the data belongs to.
 */
export async function claimLinkedFolder(link: string): Promise<void> {
  const file = join(dirname(await realpath(link)), BACK_REFERENCE);
  const reference = await readReference(file);
  if (!reference) return;
  if (reference.link !== link && (await sameTarget(reference.link, link)) && !(await sameLink(reference.link, link))) {
    throw new EmbeddedError(
      `this checkout is a copy of ${checkoutOf(reference.link)}, and ${link} points to the database of the original`,
      `Remove the link to start with a new database: rm "${link}"`,
    );
  }
  const checkout = await identity(checkoutOf(link));
  if (reference.link === link && reference.checkout === checkout && !reference.creator) return;
  const current: BackReference = { link, checkout };
  await writeFile(file, JSON.stringify(current)).catch(() => undefined); // only root can
}

/**
 * Removes data that cannot be reached any more: its checkout is the same folder, but its link is gone (`.data` was removed).
 * A missing checkout proves nothing: it may have been moved together with its link, or its disk may not be mounted.
 */
async function removeOrphans(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const data = join(folder, 'postgres');
    const reference = await readReference(join(folder, BACK_REFERENCE));
    if (!reference || (reference.creator && isAlive(reference.creator))) continue;
    if ((await identity(checkoutOf(reference.link)).catch(() => '')) !== reference.checkout) continue;
    if ((await readlink(reference.link).catch(() => '')) === data) continue;
    const running = await readPidFile(data);
    if (running && (await isPostmaster(running.pid, data)) !== false) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReference(file: string): Promise<BackReference | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BackReference;
  } catch {
    return undefined;
  }
}

/** The checkout is the folder that holds `.data`, which holds the link. */
function checkoutOf(link: string): string {
  return dirname(dirname(link));
}

async function identity(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

async function sameTarget(one: string, other: string): Promise<boolean> {
  return (await readlink(one).catch(() => '')) === (await readlink(other));
}

/** The same link under two paths, as in a folder that is mounted twice. */
async function sameLink(one: string, other: string): Promise<boolean> {
  const [a, b] = [await lstat(one, { bigint: true }), await lstat(other, { bigint: true })];
  return a.dev === b.dev && a.ino === b.ino;
}
