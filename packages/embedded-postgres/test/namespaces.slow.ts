/** Two containers on one `.data`: processes in another namespace of process ids cannot see the server that runs, and do not start a second one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from 'specwright/testing';
import { startEmbedded, type EmbeddedDatabase } from '@specwright/embedded-postgres';
import { postmaster, query } from './support/embedded.ts';

const UNSHARE = ['--pid', '--fork', '--mount-proc'];
const canUnshare = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;
if (!canUnshare && process.env['CI'] !== undefined)
  throw new Error('unshare --pid --fork --mount-proc is not possible here: run this test as root on Linux');
if (!canUnshare) console.warn('SKIPPED: unshare --pid --fork --mount-proc is not possible here, so two namespaces are not tested');

const SOURCE = new URL('../src/embedded.ts', import.meta.url).href;
let home: string;
let dataDir: string;
let database: EmbeddedDatabase;

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'namespaces-')));
  await chmod(home, 0o755);
  dataDir = join(home, '.data');
  database = await startEmbedded({ database: 'service', dataDir, settings: { fsync: 'off' } });
});
afterAll(async () => {
  await database.stop();
  await removeFolder(home);
});

/** Starts the database of the folder in a namespace of its own. @returns its output: `started`, or why not. */
async function startInNamespace(): Promise<string> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(SOURCE)};
    try {
      const database = await startEmbedded({ database: 'service', dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } });
      console.log('started');
      await database.stop();
    } catch (error) {
      console.log(error.message);
    }`;
  const args = [...UNSHARE, process.execPath, '--conditions=@specwright/source', '--import', 'tsx', '--input-type=module', '-e', program];
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

(canUnshare ? test : test.skip)('the second is refused while the first runs, and started once it has stopped', async () => {
  const pid = await postmaster(dataDir);
  const refused = await startInNamespace();
  expect(refused).toContain('is used by another container or host');
  expect(refused).toContain(`rm "${join(dataDir, 'postgres', 'embedded.lease')}"`);
  expect(await postmaster(dataDir)).toBe(pid);
  expect(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).toMatch(new RegExp(`^${pid}\n`));
  expect(await query(database, 'SELECT 1')).toEqual([[1]]);
  await database.stop();
  expect(await startInNamespace()).toContain('started');
});
