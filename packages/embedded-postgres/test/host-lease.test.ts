/** The lease of a data directory across hosts and containers: a fresh one of another place is refused, a stale one is taken. */
import { beforeEach, expect, test } from '@jest/globals';
import { lutimes, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimCluster, keepClaim, releaseCluster } from '../src/host-lease.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const folder = withFolder();
let file: string;
beforeEach(async () => {
  file = join(folder.path, 'embedded.lease');
});

const FOREIGN = JSON.stringify({ host: 'another', namespace: 'pid:[1]', hostname: 'till-2', pid: 42 });
/** Sets the time of the lease. @param ageMs how long ago it was heard of. */
const hear = async (ageMs = 0) => lutimes(file, (Date.now() - ageMs) / 1000, (Date.now() - ageMs) / 1000);

test('processes of one place share a claim, and the last one removes it', async () => {
  await claimCluster(folder.path, undefined);
  const lease = await readFile(file, 'utf8');
  expect(JSON.parse(lease)).toMatchObject({ pid: process.pid });
  await claimCluster(folder.path, undefined);
  expect(await readFile(file, 'utf8')).toBe(lease);
  await releaseCluster(folder.path);
  expect(await readdir(folder.path)).toEqual([]);
});

test.each([
  ['of another container', FOREIGN],
  ['that cannot be read', ''],
])('a lease %s that is kept is refused, with the file, the host and what to do', async (_, text) => {
  await writeFile(file, text);
  const beats = setInterval(() => void hear(), 300);
  try {
    const refusal = await claimCluster(folder.path, undefined).catch((error: unknown) => (error as Error).message);
    expect(refusal).toContain(text === '' ? 'another host' : 'till-2, process 42');
    expect(refusal).toContain(`rm "${file}"`);
    expect(refusal).toMatch(/heard of \d+ s ago/);
    expect(refusal).toContain('DATA_DIR');
    expect(await readFile(file, 'utf8')).toBe(text);
  } finally {
    clearInterval(beats);
  }
});

test('an old lease of another place is taken at once, and a link is not followed', async () => {
  await writeFile(file, FOREIGN);
  await hear(120_000);
  await claimCluster(folder.path, undefined);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid });
  await rm(file);
  const target = join(folder.path, 'target');
  await writeFile(target, 'kept');
  await symlink(target, file);
  await hear(120_000);
  await claimCluster(folder.path, undefined);
  expect(await readFile(target, 'utf8')).toBe('kept');
});

test('a claim is kept fresh, and made again if its file is removed', async () => {
  await claimCluster(folder.path, undefined);
  await hear(120_000);
  const end = keepClaim(folder.path, undefined);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const { mtimeMs } = await import('node:fs').then(({ statSync }) => statSync(file));
  expect(Date.now() - mtimeMs).toBeLessThan(10_000);
  end();
});
