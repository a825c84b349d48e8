/** A start with few file descriptors ends with the reason, or goes on without what is optional: nothing ends the process later. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { until, withDatabase } from 'specwright/testing';

const database = withDatabase();
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

/** Starts the service, which is built if a source has changed, with so many file descriptors. */
function startWith(files: number) {
  const command = `ulimit -n ${files} && exec "${process.execPath}" packages/specwright/bin/specwright.mjs run src/main.ts`;
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: database.url, PORT: '0', HOST: '127.0.0.1', LOG_FORMAT: 'json', START_TIMEOUT: '1000' };
  const started = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  let text = '';
  for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const server = { code: undefined as number | null | undefined, output: () => text };
  void once(started, 'close').then(([code]) => (server.code = code as number | null));
  return server;
}

const onUnix = process.platform === 'win32' ? test.skip : test;

// From what is not enough to load the program, to what is enough for all but some connections.
onUnix.each([20, 23, 24, 25, 26, 28, 32])(
  '%i file descriptors',
  async (files) => {
    const server = startWith(files);
    await until(() => server.code !== undefined || /EMFILE|the worker has started/.test(server.output()), 20_000);
    // Work that nobody waits for fails soon after.
    await sleep(1000);
    expect(server.output()).not.toMatch(/unhandled/i);
    if (server.code !== undefined) expect([server.code, server.output()]).toEqual([1, expect.stringMatching(/EMFILE/)]);
    else expect(server.output()).toMatch('listening');
  },
  120_000,
);
