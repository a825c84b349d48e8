/** The public API of `@specwright/webhooks`. */

export { WEBHOOK_ERRORS } from './errors.ts';
export { checkWebhookUrl, type WebhookRules } from './webhook-url.ts';
export { deliver, type DeliverOptions, type Delivery, type ResolveHost } from './deliver.ts';
export {
  cleanQueue,
  connectBeside,
  enqueue,
  freeAbandonedJobs,
  migrateQueue,
  queueIsBehind,
  queueMetrics,
  startWorker,
  type Job,
} from './queue.ts';
