/** What delivers messages in the background, as this service has it. */
import { createWorker, deleteEnded, type Worker, type WorkerOptions } from '@specwright/accounts/webhooks';
import { outgoing } from '../generated/outgoing.ts';
import { NAME } from './config.ts';
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
