/** The network between the server and its database goes silent: nobody is told, and connections that were open stay dead. */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type LoadClient } from '../support/tools/load-client.ts';
import { openShopBehindProxy } from './support/pet-store.ts';
import { failedUntil, startLoad } from './support/open-load.ts';
import type { Scenario } from './support/scenario.ts';

const WARM_UP_MS = 2000;
const SILENCES_MS = [1000, 8000];
const AFTER_MS = 6000;
const REQUESTS_PER_SECOND = 40;
const DELIVERY_TIMEOUT_MS = 20_000;
/** What admission says. */
const REFUSED = 'too many requests are under way';
/** The default. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** How long it takes from a message that is accepted to its end, in ms; an account without a webhook has none to wait for. */
async function timeOfDelivery(client: LoadClient): Promise<number> {
  const began = performance.now();
  const { status, body } = await client.send('POST', '/messages', { message: 'Rex is well.' });
  if (status !== 202) return NaN;
  const { id } = JSON.parse(body) as { id: string };
  while (performance.now() - began < DELIVERY_TIMEOUT_MS) {
    const message = await client.send('GET', `/messages/${id}`);
    if (message.status === 200 && (JSON.parse(message.body) as { status: string }).status === 'sent') break;
    await sleep(50);
  }
  return performance.now() - began;
}

export const scenario: Scenario = {
  summary: 'the network to the database goes silent, without RST',
  timeoutMs: 120_000,
  async run(context) {
    const { measure, progress } = context;
    const { shop, proxy, server, client } = await openShopBehindProxy(context);
    const send = (n: number) =>
      n % 4 === 0
        ? client.send('POST', '/store/orders', { petId: shop.petId, quantity: 1 })
        : client.send('GET', n % 4 === 1 ? `/store/pets/${shop.petId}` : '/pets');

    for (const silenceMs of SILENCES_MS) {
      const name = `${silenceMs / 1000} s of silence:`;
      progress(name);
      const load = startLoad(send, REQUESTS_PER_SECOND);
      await sleep(WARM_UP_MS);
      const silentAt = performance.now();
      const logBefore = server.process.output.stdout.length;
      proxy.silence();
      await sleep(silenceMs);
      const restoredAt = performance.now();
      await proxy.restore();
      await sleep(AFTER_MS);
      await load.stop();
      const during = load.responses.filter(({ sentAt }) => sentAt >= silentAt && sentAt < restoredAt);
      const unavailable = load.responses.filter(({ status }) => status === 503);
      const log = server.process.output.stdout.slice(logBefore);
      const reasons = log.match(/"level":"error".*"err":/g)?.length ?? 0;
      // Refusals of admission are logged together, once a second.
      const refusals = unavailable.filter(({ body }) => body.includes(REFUSED)).length;
      const unexplained = unavailable.length - refusals - reasons + (refusals > 0 && !log.includes(REFUSED) ? refusals : 0);
      measure({ measured: `${name} requests sent meanwhile`, value: during.length, min: 1 });
      measure({ measured: `${name} slowest answer`, value: Math.max(...load.responses.map(({ ms }) => ms)), unit: 'ms', max: 5000 });
      measure({
        measured: `${name} p99`,
        value: percentile(
          during.map(({ ms }) => ms),
          0.99,
        ),
        unit: 'ms',
        max: 3000,
      });
      const others = load.responses.filter(({ status }) => ![200, 201, 503].includes(status));
      measure({ measured: `${name} answers other than 2xx and 503`, value: others.length, max: 0 });
      measure({
        measured: `${name} 503 without Retry-After`,
        value: unavailable.filter(({ headers }) => headers['retry-after'] === undefined).length,
        max: 0,
      });
      measure({ measured: `${name} 503 without a reason in the log`, value: Math.max(0, unexplained), max: 0 });
      const deliveredMs = await timeOfDelivery(client);
      measure({ measured: `${name} the next message is sent after`, value: deliveredMs, unit: 'ms', max: 5000 });
      measure({ measured: `${name} failures until after its end`, value: failedUntil(load.responses, restoredAt), unit: 'ms', max: 2000 });
    }

    progress('SIGTERM');
    proxy.silence();
    const load = startLoad(send, REQUESTS_PER_SECOND);
    await sleep(500);
    void load.stop();
    const toldAt = performance.now();
    server.process.child.kill('SIGTERM');
    const { code } = await server.process.exited;
    const stopped = 'SIGTERM while it is silent:';
    measure({
      measured: `${stopped} the process has ended after`,
      value: performance.now() - toldAt,
      unit: 'ms',
      max: SHUTDOWN_TIMEOUT_MS,
    });
    measure({ measured: `${stopped} exit code`, value: code ?? NaN, max: 0 });
  },
};
