/** Deliveries to webhooks that were set before these followed Standard Webhooks. */
import { createHmac } from 'node:crypto';
import { signStandard, type Sign } from '@specwright/accounts/webhooks';

/**
 * Whether a secret was made before deliveries followed the standard: 43 characters of base62, where base64 of 32 bytes has 44
 * and ends in `=`. Its receiver was written for the former body and headers, and gets them until the webhook is set again.
 */
const isFormerSecret = (secret: string): boolean => /^whsec_[0-9A-Za-z]{43}$/.test(secret);

/** As the standard says; a receiver with a former secret gets the data alone, and beside it what it verifies. */
export const sign: Sign = (secret, delivery) => {
  if (secret === undefined || !isFormerSecret(secret)) return signStandard(secret, delivery);
  const { id, timestamp } = delivery;
  const body = JSON.stringify((JSON.parse(delivery.body) as { data: unknown }).data);
  // Keyed with the whole text of the secret.
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const former = { 'X-Webhook-Id': id, 'X-Webhook-Timestamp': String(timestamp), 'X-Webhook-Signature': `v1=${signature}` };
  return { body, headers: { ...signStandard(secret, { id, timestamp, body }).headers, ...former } };
};
