/** What delivers messages in the background, as this service has it. */
import { createWorker, deleteEnded, queueMetrics, type Worker, type WorkerOptions } from '@specwright/accounts/webhooks';
import type { Database } from '@specwright/postgres';
import { workTimeout, type Log, type ServerPart } from '@specwright/server';
import { outgoing } from '../generated/outgoing.ts';
import { NAME, type Config } from './config.ts';
import { endMessage } from './db/messages.ts';

/** Nothing connects before it is started. */
export const createMessageWorker = (options: WorkerOptions): Worker =>
  createWorker({
    ...options,
    outgoing,
    userAgent: `${NAME}-webhook/2`,
    onEnd: endMessage,
    clean: (db) => deleteEnded(db, 'messages', options.retentionDays),
  });

/** The queue of messages, and the worker that delivers them. @param isStarted `false`: another process delivers; this one has the metrics. */
export function messageParts(db: Database, log: Log, config: Config, isStarted: boolean): readonly ServerPart[] {
  const worker = createMessageWorker({
    db,
    log,
    timeout: config.webhookTimeout,
    stopTimeout: workTimeout(config.shutdownTimeout),
    retentionDays: config.messageRetentionDays,
    allowPrivate: config.webhookAllowPrivate,
  });
  return [{ metrics: () => queueMetrics(db) }, isStarted ? worker : { metrics: worker.metrics }];
}
