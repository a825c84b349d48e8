/** The writes that are measured: their requests, for the records that there are, and the status that they must get. */
import type { Subject } from '../support/database.ts';
import type { RawResponse } from '../support/response-reader.ts';

export const WRITES = ['order', 'order-key', 'pet', 'pet-key', 'patch', 'delete'] as const;
export type Write = (typeof WRITES)[number];

export const WRITE_TITLES: Readonly<Record<Write, string>> = {
  order: 'POST /store/orders',
  'order-key': 'POST /store/orders, Idempotency-Key',
  pet: 'POST /pets',
  'pet-key': 'POST /pets, Idempotency-Key',
  patch: 'PATCH /pets/{petId}',
  delete: 'DELETE /store/orders/{orderId}',
};

/** What the load generator makes requests from: plain data, as it goes to another process. */
export interface WriteRequests {
  readonly write: Write;
  readonly subjects: readonly Subject[];
  /** Orders to delete, each once: those of `subjects` in turn. */
  readonly orderIds: readonly number[];
}

const STATUSES: Readonly<Record<Write, number>> = { order: 201, 'order-key': 201, pet: 201, 'pet-key': 201, patch: 200, delete: 204 };

/** The requests in turn, until there is nothing left to delete. @param run differs from run to run. */
export function createWrites(requests: WriteRequests, run: string) {
  let n = 0;
  return {
    next: () => requestOf(requests, n++, run),
    accept: ({ status }: RawResponse) => status === STATUSES[requests.write],
  };
}

/** @param n of the request, each once in a run. */
function requestOf({ write, subjects, orderIds }: WriteRequests, n: number, run: string): string | undefined {
  const { accountId, apiKey, petId, categoryId } = subjects[n % subjects.length] as Subject;
  const headers = ['Host: localhost:3000', `Authorization: Bearer ${apiKey}`, `X-Account: ${accountId}`];
  if (write.endsWith('-key')) headers.push(`Idempotency-Key: ${run}-${n}-0123456789abcdef`);
  switch (write) {
    case 'order':
    case 'order-key':
      return message('POST /store/orders', headers, { petId, quantity: 1 });
    case 'pet':
    case 'pet-key':
      return message('POST /pets', headers, { name: 'Rex', categoryId, status: 'available' });
    case 'patch':
      return message(`PATCH /pets/${petId}`, headers, { name: `Rex ${n}` });
    case 'delete':
      return orderIds[n] === undefined ? undefined : message(`DELETE /store/orders/${orderIds[n]}`, headers);
  }
}

function message(line: string, headers: readonly string[], body?: object): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const all = body === undefined ? headers : [...headers, 'Content-Type: application/json', `Content-Length: ${json.length}`];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${json}`;
}
