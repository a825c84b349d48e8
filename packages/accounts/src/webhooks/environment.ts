/** The environment variables of webhooks, for `readEnvironment` of @specwright/server. */
import { integer, onOff, trueFalse } from '@specwright/server';

export const WEBHOOK_VARIABLES = {
  /** Whether this process delivers messages. */
  WORKER: onOff().default(true),
  /** How long a delivery to a webhook may take, in ms. */
  WEBHOOK_TIMEOUT: integer(1, 600_000).default(10_000),
  /** How long messages that were sent or have failed are kept, in days. */
  MESSAGE_RETENTION_DAYS: integer(1, 36_500).default(30),
  /** Unsafe: lets webhooks have addresses that are not public. */
  WEBHOOK_ALLOW_PRIVATE: trueFalse().default(false),
};
