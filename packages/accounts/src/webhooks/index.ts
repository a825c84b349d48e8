/** The public API of `@specwright/accounts/webhooks`. */

// What a service composes: its schema, errors, environment and worker.
export { WEBHOOK_MIGRATIONS } from './migrations/index.ts';

export { createWorker, type Worker, type WorkerLog, type WorkerOptions } from './worker.ts';
export { queueMetrics } from './queue.ts';
export { deliveryCommands } from './commands.ts';

// Where messages are delivered, for handlers.
export { deleteWebhook, getWebhook, setWebhook, type NewWebhook, type Webhook } from './webhooks.ts';
export { checkWebhookUrl, type WebhookRules, WEBHOOK_ERRORS } from './webhook-url.ts';

// What is sent.
export {
  createSender,
  PayloadError,
  type CallbackAddress,
  type Send,
  type SendContext,
  type Sender,
  type SendOptions,
  type Sent,
} from './sender.ts';
export {
  createDeliveryId,
  deleteEnded,
  findDelivery,
  listDeliveries,
  queueDelivery,
  replayDeliveries,
  type DeliveryFilter,
  type DeliveryState,
  type EndedDelivery,
  type ListedDelivery,
  type NewDelivery,
  type OnEnd,
  type OnReplay,
} from './deliveries.ts';
export type { ResolveHost } from './deliver.ts';
export { createSecret, signStandard, type Sign, type SignedDelivery, type UnsignedDelivery } from './sign.ts';
