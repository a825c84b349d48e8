/** The variables of the environment that are this service's own, beside those of `src/config.ts`, which reads them. */
import { z } from 'zod';
import { integer } from '@specwright/server';

export const VARIABLES = {
  /** Which header of a proxy names the client, and how many proxies there are: `X-Forwarded-For` or `X-Forwarded-For:2`. */
  TRUST_PROXY: z
    .string()
    .regex(/^[A-Za-z0-9-]+(:[1-9]\d?)?$/, 'must be a header and a number of proxies, such as X-Forwarded-For:1')
    .transform((text) => ({ header: (text.split(':')[0] ?? '').toLowerCase(), hops: Number(text.split(':')[1] ?? 1) }))
    .optional(),
  /** How many servers share the database: each counts its part of the limits while the database does not answer. */
  INSTANCES: integer(1, 10_000).default(1),
  /** How long the database may take to answer about limits, in ms. */
  RATE_LIMIT_TIMEOUT: integer(1, 60_000).default(150),
  /** Whether this process delivers messages. */
  WORKER: z.enum(['on', 'off'], 'must be on or off').default('on'),
  /** How long a delivery to a webhook may take, in ms. */
  WEBHOOK_TIMEOUT: integer(1, 600_000).default(10_000),
  /** Unsafe: lets webhooks have addresses that are not public. */
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false'], 'must be true or false').default('false'),
};

export interface ServiceConfig {
  /** The header's name in lower case. */
  readonly trustProxy: { readonly header: string; readonly hops: number } | undefined;
  readonly instances: number;
  readonly rateLimitTimeout: number;
  readonly worker: boolean;
  readonly webhookTimeout: number;
  readonly webhookAllowPrivate: boolean;
}

export const serviceConfig = (values: z.output<z.ZodObject<typeof VARIABLES>>): ServiceConfig => ({
  trustProxy: values.TRUST_PROXY,
  instances: values.INSTANCES,
  rateLimitTimeout: values.RATE_LIMIT_TIMEOUT,
  worker: values.WORKER === 'on',
  webhookTimeout: values.WEBHOOK_TIMEOUT,
  webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE === 'true',
});
