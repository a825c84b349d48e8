/** What delivers messages in the background, as this service has it. */
import { createWorker, deleteEnded, type Worker, type WorkerOptions } from '@specwright/accounts/webhooks';
import { outgoing } from '../generated/outgoing.ts';
import { NAME } from './config.ts';
import { endMessage, formerTasks, type MessageSender } from './db/messages.ts';
import { sign } from './former-signature.ts';

/** Nothing connects before it is started. */
export const createMessageWorker = (sender: MessageSender, options: WorkerOptions): Worker =>
  createWorker({
    ...options,
    outgoing,
    sign,
    userAgent: `${NAME}-webhook/2`,
    onEnd: endMessage,
    clean: (db) => deleteEnded(db, 'messages', options.retentionDays),
    tasks: formerTasks(sender),
  });
