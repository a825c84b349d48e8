/** What delivers messages in the background, as this service has it. */
import { createWorker, deleteEnded, type Worker, type WorkerOptions } from '@specwright/webhooks';
import { NAME } from './config.ts';
import { endMessage, FORMER_TASKS } from './db/messages.ts';
import { sign } from './former-signature.ts';

/** Nothing connects before it is started. */
export const createMessageWorker = (options: WorkerOptions): Worker =>
  createWorker({
    ...options,
    sign,
    userAgent: `${NAME}-webhook/2`,
    onEnd: endMessage,
    clean: (db) => deleteEnded(db, 'messages', options.retentionDays),
    tasks: FORMER_TASKS,
  });
