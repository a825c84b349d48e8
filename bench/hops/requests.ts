/** The requests whose hops are counted, and how many each may have. */
import { exchangeOf } from '../requests/operations.ts';
import type { Subject } from '../support/database.ts';
import { createWrites } from '../writes/operations.ts';
import { SENT, type HopsRequest } from './measure.ts';

/**
 * What each request runs at most, on every version of Node: the figures of this commit, the calls with what timing adds (up to 1 %). A
 * change that needs fewer lowers them.
 */
export const BOUNDS: Readonly<Record<string, { readonly files: number; readonly calls: number }>> = {
  'GET of a row': { files: 45, calls: 205 },
  'POST with an Idempotency-Key': { files: 57, calls: 309 },
  'upload of a photo': { files: 67, calls: 549 },
  'refused without a key': { files: 30, calls: 151 },
};

/** In the order of BOUNDS. */
export function hopsRequests(subject: Subject): HopsRequest[] {
  const { request: get } = exchangeOf('getPet', subject);
  const orders = createWrites({ write: 'order-key', subjects: [subject], orderIds: [] }, `${Date.now()}`);
  const again = (status: number, next: () => string): HopsRequest => ({ status, texts: Array.from({ length: SENT }, next) });
  return [
    again(200, () => get),
    again(201, () => orders.next() ?? ''),
    again(201, () => photoOf(subject)),
    again(401, () => get.replace(/Authorization: .*\r\n/, '')),
  ];
}

const PNG = `\x89PNG\r\n\x1a\n${'\0'.repeat(1000)}`;

function photoOf({ petId, apiKey }: Subject): string {
  const body = `--part\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${PNG}\r\n--part--\r\n`;
  const headers = [
    'Host: localhost:3000',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: multipart/form-data; boundary=part',
    `Content-Length: ${body.length}`,
  ];
  return `POST /store/pets/${petId}/photos HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}
