/** A webhook of the contract that nothing sends, or that is not sent as declared, fails the walk. */
import { expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createWitness, startReceiver, withFixture, type OutgoingScenario } from 'specwright/testing';
import { exemptionOf, sentBy, tryOutgoing } from '../../src/testing/contract/outgoing.ts';
import { unknownExemptions } from '../../src/testing/contract/walk.ts';

const spec = createWitness(`openapi: 3.1.0
info: { title: Orders, version: '1' }
webhooks:
  order.completed:
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [orderId], properties: { orderId: { type: integer } } } } }
      responses: { '204': { description: ok } }
  text: { post: { requestBody: { content: { text/plain: {} } }, responses: { '204': { description: ok } } } }
paths: {}
`);
const [completed] = sentBy(spec);
const receiver = withFixture(
  () => startReceiver(),
  (started) => started.close(),
);

const SECRET = `whsec_${Buffer.from('secret').toString('base64')}`;

/** Sends a request as a service would. */
const sends =
  (
    body: string,
    { method = 'POST', type = 'application/json', secret }: { method?: string; type?: string; secret?: string } = {},
  ): OutgoingScenario<object> =>
  async (_world, url) => {
    const signature = createHmac('sha256', 'secret').update(`msg_1.1700000000.${body}`).digest('base64');
    const headers = {
      'Content-Type': type,
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,bm8= v1,${signature}`,
    };
    await fetch(url, { method, body, headers });
    return secret;
  };

async function tryWith(scenario?: OutgoingScenario<object>, exemptions: Record<string, string> = {}): Promise<void> {
  receiver.received.length = 0;
  if (completed === undefined) throw new Error('the contract has a webhook');
  const tests = {
    spec,
    world: {},
    exemptions,
    exemptionsFile: 'exemptions.json',
    ...(scenario && { outgoing: { orderCompleted: scenario } }),
  };
  await tryOutgoing(tests, completed, receiver);
}

test('what can be sent is listed', () => {
  expect(sentBy(spec).map(exemptionOf)).toEqual(['webhook orderCompleted']);
});

test('a request as declared passes, with its signature', async () => {
  await tryWith(sends('{"orderId":7}'));
  await tryWith(sends('{"orderId":7}', { secret: SECRET }));
});

test.each([
  ['a body that breaks its schema', sends('{"orderId":"7"}'), 'body/orderId must be integer'],
  ['a body that is no JSON', sends('no'), 'body must be object'],
  ['another method', sends('{"orderId":7}', { method: 'PUT' }), 'the method is PUT, not POST'],
  ['another media type', sends('{"orderId":7}', { type: 'text/plain' }), 'the media type is text/plain, not application/json'],
  ['another secret', sends('{"orderId":7}', { secret: 'whsec_AAAA' }), 'the header webhook-signature is not that of the secret'],
])('fails for %s', async (_, scenario, message) => {
  await expect(tryWith(scenario)).rejects.toThrow(`orderCompleted is not sent as declared:\n- ${message}`);
});

test('a webhook without a scenario fails, and says what to do', async () => {
  await expect(tryWith()).rejects.toThrow(
    'nothing sends orderCompleted: add `outgoing: { orderCompleted: async (world, url) => ... }` beside the scenarios, which makes the service send it to url, or exempt "webhook orderCompleted" with the reason in exemptions.json',
  );
});

test('an exemption is for a webhook that nothing sends, and of the contract', async () => {
  const exemptions = { 'webhook orderCompleted': 'nothing sends it yet' };
  await tryWith(undefined, exemptions);
  await expect(tryWith(sends('{"orderId":7}'), exemptions)).rejects.toThrow('but has a scenario. Remove it from exemptions.json');
  expect(unknownExemptions({ spec, exemptions: { ...exemptions, 'webhook gone': 'x' } })).toEqual(['webhook gone']);
});
