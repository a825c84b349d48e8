/** The public API of `@specwright/accounts/environment`: the environment variables of accounts and of webhooks. */
import { integer, onOff, optional, secretText, trueFalse, withDefault } from '@specwright/server/environment';
import { KEY_RETENTION_DAYS } from './keys/key-retention.ts';

const MIN_SECRET_LENGTH = 32;

/** For `readEnvironment`; `openCallerCache` takes the value. */
export const ACCOUNT_VARIABLES = {
  /** How long API keys are kept once they were revoked or have expired, in days. */
  KEY_RETENTION_DAYS: withDefault(integer(1, 36_500), KEY_RETENTION_DAYS),
};

/** For `readEnvironment`; `openSignUps` takes the values. */
export const SIGN_UP_VARIABLES = {
  /** Sign-ups are confirmed by mail: the account whose webhook gets a message for each, and sends the mail. */
  SIGN_UP_ACCOUNT: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  /** What the tokens of these mails are signed with, the same on every server. */
  SIGN_UP_SECRET: optional(secretText(MIN_SECRET_LENGTH)),
};

/** For `readEnvironment`; `createWorker` takes the values. */
export const WEBHOOK_VARIABLES = {
  /** Whether this process delivers messages. */
  WORKER: withDefault(onOff(), true),
  /** How long a delivery to a webhook may take, in ms. */
  WEBHOOK_TIMEOUT: withDefault(integer(1, 600_000), 10_000),
  /** How long messages that were sent or have failed are kept, in days. */
  MESSAGE_RETENTION_DAYS: withDefault(integer(1, 36_500), 30),
  /** Unsafe: lets webhooks have addresses that are not public. */
  WEBHOOK_ALLOW_PRIVATE: withDefault(trueFalse(), false),
};
