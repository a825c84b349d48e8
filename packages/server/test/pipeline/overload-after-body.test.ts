/** A request that gave its slot back while its client sent the body, and finds none when it has come. */
import { expect, test } from '@jest/globals';
import { bearer } from '@specwright/server';
import { until, withApp } from 'specwright/testing';
import { headOf, rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const SLOTS = 10;
const OF_CALLER = 77;
const YAML = `x-rate-limit-plans:
  plans: { Free: { minute: ${OF_CALLER}, day: 1000 } }
  address: { minute: 500, day: 1000 }
paths:
  /things:
    get: { operationId: getThings, security: [{ key: [] }], responses: { '204': { description: ok } } }
    post: { operationId: addThing, security: [{ key: [] }], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '204': { description: ok } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;
const never = () => new Promise(() => undefined);
const app = withApp(() =>
  serve(YAML, {
    handlers: { getThings: never, addThing: never },
    security: { key: bearer(async () => 'me') },
    requestTimeoutMs: 250,
    metrics: { maxAgeMs: 0 },
    rateLimit: { subject: () => ({ bucket: 'me', quota: { minute: OF_CALLER, day: 1000 }, key: undefined }) },
  }),
);
const running = async () => Number(/^http_server_admission_running (\d+)/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1]);

test('is answered 503 with the limits of its caller, and was counted once', async () => {
  const client = await rawClient(app.url);
  const headers = { Authorization: 'Bearer a', 'Content-Type': 'application/json', 'Content-Length': 2 };
  client.write(`${headOf('/things', headers)}{`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await until(async () => (await running()) === 0);
  // The slots of handlers that never end are not free again.
  const get = () => fetch(`${app.url}/things`, { headers: { Authorization: 'Bearer a' } });
  await Promise.all(Array.from({ length: SLOTS }, get));
  expect(await running()).toBe(SLOTS);
  client.write('}');
  expect(await client.status()).toBe(503);
  await until(() => client.received().includes('\r\n\r\n'));
  const fields = [...client.received().matchAll(/^(X-RateLimit-Limit|X-RateLimit-Remaining|Retry-After): \d+\r$/gm)].map(([field]) =>
    field.trim(),
  );
  expect(fields).toEqual([
    `X-RateLimit-Limit: ${OF_CALLER}`,
    `X-RateLimit-Remaining: ${OF_CALLER - 1}`,
    expect.stringMatching(/^Retry-After: [1-3]$/),
  ]);
  client.socket.destroy();
});
