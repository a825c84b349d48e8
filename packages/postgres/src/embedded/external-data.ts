// Data of a checkout that only root can enter: it lives in a shared folder, and `.data/postgres` is a link to it.
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, readdir, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './error.ts';
import { isPostmaster, readPidFile } from './pidfile.ts';
import { isAlive, type Account } from './run.ts';
import { sharedFolder } from './shared.ts';

const BACK_REFERENCE = 'checkout.json';

/** What a data folder outside remembers of the checkout that it belongs to. */
interface BackReference {
  /** Path of the link that leads here. */
  link: string;
  /** Device and inode of the checkout's folder, which tell it from another one that later has the same path. */
  checkout: string;
  /** The process that is making the folder, until the link is found to lead here. */
  maker?: number;
}

/** A new folder outside, for the data that `link` will lead to. */
export async function makeOutside(link: string, account: Account): Promise<string> {
  const parent = join(await sharedFolder(account), 'data');
  await mkdir(parent, { recursive: true, mode: 0o711 });
  await removeOrphans(parent);
  const folder = join(parent, randomBytes(6).toString('hex'));
  await mkdir(folder, { mode: 0o711 });
  const reference: BackReference = { link, checkout: await identity(checkoutOf(link)), maker: process.pid };
  await writeFile(join(folder, BACK_REFERENCE), JSON.stringify(reference));
  return folder;
}

/**
 * Checks that the data behind `link` is this checkout's own, and notes where the checkout is now if it was moved. Links
 * that someone made by hand, to keep the data on another disk, have no back-reference and are none of our business.
 */
export async function claimOutside(link: string): Promise<void> {
  const file = join(dirname(await realpath(link)), BACK_REFERENCE);
  const reference = await readReference(file);
  if (!reference) return;
  if (reference.link !== link && (await sameTarget(reference.link, link)) && !(await sameLink(reference.link, link))) {
    throw new EmbeddedError(
      `this checkout is a copy of ${checkoutOf(reference.link)}, and ${link} still leads to the database of the original`,
      `Remove the link for a new database of its own: rm "${link}"`,
    );
  }
  const checkout = await identity(checkoutOf(link));
  if (reference.link === link && reference.checkout === checkout && !reference.maker) return;
  const current: BackReference = { link, checkout };
  await writeFile(file, JSON.stringify(current)).catch(() => undefined); // only root can
}

/**
 * Removes data that provably nobody can get at: its checkout is still that very folder, but does not link here any more
 * (someone removed `.data`). A checkout that is not there proves nothing: it may have been moved, with its link, or be on
 * a disk that is not mounted.
 */
async function removeOrphans(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const data = join(folder, 'postgres');
    const reference = await readReference(join(folder, BACK_REFERENCE));
    if (!reference || (reference.maker && isAlive(reference.maker))) continue;
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
