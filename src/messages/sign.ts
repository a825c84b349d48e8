/** The signature of a delivery: how a receiver knows that it is ours and not an old one played again. */
import { createHmac } from 'node:crypto';

/**
 * The value of `X-Webhook-Signature`: `v1=` and the HMAC-SHA256 of `<timestamp>.<body>` in hexadecimal.
 *
 * @param timestamp that of `X-Webhook-Timestamp`, in seconds since 1970.
 */
export const sign = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
