/** Where a delivery goes: to the webhook of its account, or to the address that it was sent to. */
import type { Database } from '@specwright/postgres';
import type { QueuedDelivery } from './deliveries.ts';
import { findDeliveryTarget, type DeliveryTarget } from './webhooks.ts';

/** What a delivery is sent to. */
export interface Target {
  readonly url: string;
  readonly secret?: string | undefined;
  /** Of a delivery to the webhook of its account. */
  readonly webhook?: DeliveryTarget;
}

/** @returns `undefined` if the account has no webhook, and the delivery no address. */
export async function findTarget(db: Database, accountId: number, { url, secret }: QueuedDelivery): Promise<Target | undefined> {
  if (url !== null) return { url, secret: secret ?? undefined };
  const webhook = await findDeliveryTarget(db, accountId);
  return webhook && { url: webhook.url, secret: webhook.secret, webhook };
}
