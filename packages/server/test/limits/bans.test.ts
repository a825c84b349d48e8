/** Who is banned over HTTP: a client that goes on after it was told to wait, and not one whose requests were under way. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { bearer, HandlerResponse, type PlanTable } from '@specwright/server';
import { createMemoryStore } from '@specwright/server/limits';
import { until, withApp } from 'specwright/testing';
import { countStatuses } from '../../../../test/support/tools/load-client.ts';
import { afterRefusal, NO_STRIKES, type Refusal, type StrikeRecord, strikesBeforeBan } from '../../src/limits/strikes.ts';
import { rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const YAML = `x-rate-limit-plans:
  plans: { Free: { minute: 1, day: 1000 } }
  address: { minute: 1000, day: 1000 }
security: [{ key: [] }]
paths:
  /things: { get: { operationId: things, responses: { '204': { description: none } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

/** The strikes of each key, as a shared store keeps them. */
const records = new Map<number, StrikeRecord>();
const recordRefusal = async (key: { keyId: number }, refusal: Refusal) => {
  const record = afterRefusal(records.get(key.keyId) ?? NO_STRIKES, refusal);
  records.set(key.keyId, record);
  return record.bannedUntil > 0 ? { ...key, until: record.bannedUntil } : undefined;
};
const app = withApp(() =>
  serve(YAML, {
    handlers: { things: () => HandlerResponse.reply(204) },
    security: { key: bearer((token) => ({ id: Number(token) })) },
    rateLimit: {
      subject: (caller: unknown, { plans }: PlanTable) => {
        const { id } = caller as { id: number };
        return { bucket: String(id), quota: plans['Free'] as never, key: { accountId: id, keyId: id } };
      },
      store: { ...createMemoryStore(), recordRefusal: recordRefusal as never },
    },
  }),
);

/** The one that is admitted, the first that is refused, and those that come too early. */
const REQUESTS = 2 + strikesBeforeBan(1);

test('a client that sends each request after the answer to the last one is banned', async () => {
  const codes: unknown[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const response = await fetch(`${app.url}/things`, { headers: { Authorization: 'Bearer 1' } });
    codes.push(response.status === 204 ? 204 : ((await response.json()) as { code: string }).code);
    // A request that arrives within the millisecond of the refusal is taken to have been under way.
    await setTimeout(2);
  }
  expect(codes).toEqual([204, ...new Array<string>(REQUESTS - 2).fill('rate_limited'), 'api_key_banned']);
});

test('a client that has sent all of them before the first answer is not banned', async () => {
  const client = await rawClient(app.url);
  client.write('GET /things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer 2\r\n\r\n'.repeat(REQUESTS));
  const statuses = () => Array.from(client.received().matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => ({ status: Number(status) }));
  await until(() => statuses().length === REQUESTS);
  client.socket.destroy();
  expect(countStatuses(statuses())).toEqual({ 204: 1, 429: REQUESTS - 1 });
  expect(client.received()).not.toContain('api_key_banned');
});
