/** What the database sends arrives altered: statements fail, the process lives, and the pool replaces the connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openShopBehindProxy } from './support/pet-store.ts';
import { failedUntil, startLoad } from './support/open-load.ts';
import type { Scenario } from './support/scenario.ts';

const ROUNDS = 30;
const REQUESTS_PER_SECOND = 50;
const ROUND_MS = 500;

const randomByte = () => Math.floor(Math.random() * 256);

/** Some bytes anywhere, the head of a message, or everything. */
const CHANGES: readonly ((chunk: Buffer) => Buffer)[] = [
  (chunk) => {
    const changed = Buffer.from(chunk);
    for (let i = 0; i < 5; i++) changed[Math.floor(Math.random() * changed.length)] = randomByte();
    return changed;
  },
  (chunk) => Buffer.concat([Buffer.from(Array.from({ length: 5 }, randomByte)), chunk.subarray(5)]),
  (chunk) => Buffer.from(chunk.map(randomByte)),
  (chunk) => chunk.subarray(Math.floor(Math.random() * chunk.length)),
];

export const scenario: Scenario = {
  summary: 'the stream from the database is corrupt, 30 times',
  timeoutMs: 120_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const { shop, proxy, server, client } = await openShopBehindProxy(context);
    const send = (n: number) =>
      n % 4 === 0 ? client.send('POST', '/store/orders', { petId: shop.petId, quantity: 1 }) : client.send('GET', '/pets');
    const load = startLoad(send, REQUESTS_PER_SECOND);
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      progress(`round ${round + 1} of ${rounds}`);
      await sleep(ROUND_MS);
      proxy.corrupt(CHANGES[round % CHANGES.length] as (typeof CHANGES)[number]);
    }
    const lastAt = performance.now();
    await sleep(4000);
    await load.stop();
    const { responses } = load;
    measure({ measured: 'the process has ended', value: server.process.child.exitCode === null ? 0 : 1, max: 0 });
    measure({ measured: 'answers', value: responses.length, min: 1 });
    measure({ measured: 'requests without an answer', value: responses.filter(({ status }) => status === 0).length, max: 0 });
    measure({ measured: 'answers 503', value: responses.filter(({ status }) => status === 503).length });
    measure({
      measured: 'answers 500: values that were altered, and refused',
      value: responses.filter(({ status }) => status === 500).length,
    });
    measure({ measured: 'slowest answer', value: Math.max(...responses.map(({ ms }) => ms)), unit: 'ms', max: 5000 });
    measure({ measured: 'failures until after the last one', value: failedUntil(responses, lastAt), unit: 'ms', max: 3000 });
  },
};
