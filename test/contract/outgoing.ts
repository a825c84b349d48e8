/** What makes the service send each webhook of its contract. */
import { createTestLog, scaleTimeout, until, type OutgoingScenario } from '@specwright/testing';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { sender } from '../support/service/sender.ts';
import type { World } from './world.ts';

/** The webhooks of other accounts are examples, which nothing must be sent to. */
const resolveHost = async () => [];

export const OUTGOING: Readonly<Record<keyof OutgoingTypes, OutgoingScenario<World>>> = {
  messageCreated: async (world, url) => {
    const { secret, messageId, isSent } = await world.messageTo(url);
    const bounds = { timeout: scaleTimeout(2000), stopTimeout: 1000, retentionDays: 30, pollInterval: 20 };
    const worker = createMessageWorker(sender, { db: world.db, log: createTestLog(), allowPrivate: true, resolveHost, ...bounds });
    worker.start();
    try {
      await until(() => isSent(messageId), 10_000);
    } finally {
      await worker.stop();
    }
    return secret;
  },
};
