/** What makes the service send each webhook of its contract. */
import { createTestLog, scaleTimeout, until, type OutgoingScenario } from 'specwright/testing';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
import { createMessageWorker } from '../../src/worker.ts';
import type { World } from './world.ts';

/** The webhooks of other accounts are examples, which nothing must be sent to. */
const resolveHost = async () => [];

/** Delivers what is queued, until it `isSent`. */
async function deliver(world: World, isSent: () => Promise<boolean>): Promise<void> {
  const bounds = { timeout: scaleTimeout(2000), stopTimeout: 1000, retentionDays: 30, pollInterval: 20 };
  const worker = createMessageWorker({ db: world.db, log: createTestLog(), allowPrivate: true, resolveHost, ...bounds });
  worker.start();
  try {
    await until(isSent, 10_000);
  } finally {
    await worker.stop();
  }
}

export const OUTGOING: Readonly<Record<keyof OutgoingTypes, OutgoingScenario<World>>> = {
  messageCreated: async (world, url) => {
    const { secret, messageId, isSent } = await world.messageTo(url);
    await deliver(world, () => isSent(messageId));
    return secret;
  },
  signUpRequested: async (world, url) => {
    const { secret, isSent } = await world.signUpTo(url);
    await deliver(world, isSent);
    return secret;
  },
};
