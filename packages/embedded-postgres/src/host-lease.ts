/**
 * Where the server of a data directory runs: a file beside its postmaster.pid. A process id says nothing in another container or on another
 * host, whose postmaster PostgreSQL would not see: two servers would write the same data.
 */
import { constants } from 'node:fs';
import { lstat, lutimes, open, readFile, readlink, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedError } from './embedded-error.ts';
import type { SystemUser } from './child-process.ts';

const FILE = 'embedded.lease';
/** How often those who use the server say that they do, in ms: by the time of the file. */
const HEARTBEAT_MS = 2000;
/** A foreign lease is stale if nobody was heard for so long while it was looked at, in ms, whatever the clocks of the hosts are. */
const STALE_MS = 10_000;
/** One that is older than this, in ms, is stale at once: of a host that was started again. */
const OLD_MS = 60_000;
const POLL_INTERVAL_MS = 200;

/** Processes in the same place know each other's ids. */
interface Place {
  /** Of the running system: each start has another one (Linux); else the name of the host. */
  readonly host: string;
  /** Of process ids, which containers have their own of; empty where there are none. */
  readonly namespace: string;
}

interface HostLease extends Place {
  /** For people. */
  readonly hostname: string;
  readonly pid: number;
}

async function findPlace(): Promise<Place> {
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { host: boot.trim() || hostname(), namespace };
}

const isAt = (lease: HostLease, place: Place): boolean => lease.host === place.host && lease.namespace === place.namespace;

/** @returns undefined if there is no lease; one that cannot be read, as while it is written, is of nowhere. */
async function readLease(file: string): Promise<{ lease: HostLease; at: number } | undefined> {
  const nowhere: HostLease = { host: '', namespace: '', hostname: 'another host', pid: 0 };
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const text = found.isFile() ? await readFile(file, 'utf8').catch(() => '') : '';
  try {
    return { lease: { ...nowhere, ...(JSON.parse(text) as object) }, at: found.mtimeMs };
  } catch {
    return { lease: nowhere, at: found.mtimeMs };
  }
}

/** @returns whether there was no lease. The folder belongs to `user`, who must not be able to make root write elsewhere by means of a link. */
async function createLease(file: string, place: Place, user: SystemUser | undefined): Promise<boolean> {
  const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
  try {
    const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o600);
    const lease: HostLease = { ...place, hostname: hostname(), pid: process.pid };
    await handle.writeFile(JSON.stringify(lease));
    if (user) await handle.chown(user.uid, user.gid);
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Claims a data directory for this host and its namespace of process ids. Those of the same place share the claim.
 *
 * @throws EmbeddedError while it is used at another place.
 */
export async function claimCluster(cluster: string, user: SystemUser | undefined): Promise<void> {
  const file = join(cluster, FILE);
  const place = await findPlace();
  for (;;) {
    if (await createLease(file, place, user)) return;
    const found = await readLease(file);
    if (found === undefined) continue;
    if (isAt(found.lease, place)) return;
    if (await isStale(file, found.at)) await rm(file, { force: true });
    else if ((await readLease(file)) !== undefined) throw inUse(file, cluster, found);
  }
}

/** Waits until it is heard of, or gone, or stale. */
async function isStale(file: string, seenAt: number): Promise<boolean> {
  if (Date.now() - seenAt > OLD_MS) return true;
  for (const end = performance.now() + STALE_MS; performance.now() < end; await sleep(POLL_INTERVAL_MS)) {
    const now = await lstat(file).catch(() => undefined);
    if (now?.mtimeMs !== seenAt) return false;
  }
  return true;
}

const inUse = (file: string, cluster: string, { lease, at }: { lease: HostLease; at: number }): EmbeddedError =>
  new EmbeddedError(
    `${cluster} is used by another container or host: ${lease.hostname}, process ${lease.pid}, heard of ${age(at)} (${file})`,
    `Stop it there, or choose another folder with DATA_DIR. If it has ended, remove its lease: rm "${file}"`,
  );

const age = (at: number): string => `${Math.max(0, Math.round((Date.now() - at) / 1000))} s ago`;

/** Keeps the claim of this place fresh until the result is called. It does not keep the process alive. */
export function keepClaim(cluster: string, user: SystemUser | undefined): () => void {
  const file = join(cluster, FILE);
  let isKept = true;
  const beat = async () => {
    const place = await findPlace();
    // Removed by hand: as long as the server runs the claim is true.
    if (!isKept || (await createLease(file, place, user))) return;
    const found = await readLease(file);
    const now = new Date();
    if (found !== undefined && isAt(found.lease, place)) await lutimes(file, now, now);
  };
  const timer = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS).unref();
  return () => {
    isKept = false;
    clearInterval(timer);
  };
}

/** Once the server has ended. */
export async function releaseCluster(cluster: string): Promise<void> {
  await rm(join(cluster, FILE), { force: true }).catch(() => undefined);
}
