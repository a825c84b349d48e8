/** The fields that tell a caller its limits are those of its own plan, whoever was answered before it. */
import { expect, test } from '@jest/globals';
import { bearer, HandlerResponse, type PlanTable } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const YAML = `x-rate-limit-plans:
  plans: { A: { minute: 5, day: 100 }, B: { minute: 5, day: 200 }, C: { minute: 6, day: 200 } }
  address: { minute: 7, day: 300 }
security: [{ key: [] }]
paths:
  /things: { get: { operationId: things, responses: { '204': { description: none } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;
const app = withApp(() =>
  serve(YAML, {
    handlers: { things: () => HandlerResponse.reply(204) },
    security: { key: bearer((plan) => ({ plan })) },
    rateLimit: {
      subject: (caller: unknown, { plans }: PlanTable) => {
        const { plan } = caller as { plan: string };
        return { bucket: plan, quota: plans[plan] as never, key: undefined };
      },
    },
  }),
);

test('each caller has the policy and the rest of its plan', async () => {
  const fieldsOf = async (plan: string) => {
    const { headers } = await fetch(`${app.url}/things`, { headers: { Authorization: `Bearer ${plan}` } });
    return [headers.get('ratelimit-policy'), headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
  };
  const policy = (minute: number, day: number) => `"minute";q=${minute};w=60, "day";q=${day};w=86400`;
  expect([await fieldsOf('A'), await fieldsOf('B'), await fieldsOf('C'), await fieldsOf('A')]).toEqual([
    [policy(5, 100), '5', '4'],
    [policy(5, 200), '5', '4'],
    [policy(6, 200), '6', '5'],
    [policy(5, 100), '5', '3'],
  ]);
});
