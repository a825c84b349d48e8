/** The operations that are measured: their requests, byte for byte the same for every server, and the response they must get. */
import { isDeepStrictEqual } from 'node:util';
import type { RawResponse } from '../support/response-reader.ts';

/** Those that are compared with other servers. */
export const OPERATIONS = ['getPet', 'createPet'] as const;
/** Those that are compared with the same server in another commit: a page of 20 and a request without a key, too. */
export const RATCHET_OPERATIONS = [...OPERATIONS, 'listPets', 'refused'] as const;
export type Operation = (typeof RATCHET_OPERATIONS)[number];

export const OPERATION_TITLES: Readonly<Record<Operation, string>> = {
  getPet: 'GET /store/pets/7',
  createPet: 'POST /pets',
  listPets: 'GET /pets?limit=20',
  refused: 'GET /store/pets/7 without a key',
};

/** Whose pet is read. */
export interface Target {
  readonly petId: number;
  readonly categoryId: number;
  readonly apiKey: string;
}

/** For handlers that answer with a constant. The key is well formed; nobody looks it up. */
export const CONSTANT_TARGET: Target = { petId: 7, categoryId: 1, apiKey: 'psk_live_0000000000000000000000000000000KzH5R' };

export const PAGE_SIZE = 20;

/** One request with what it must be answered with; `undefined` for any body. */
export interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly body: unknown;
}

export function exchangeOf(operation: Operation, { petId, categoryId, apiKey }: Target): Exchange {
  const common = ['Host: localhost:3000', `Authorization: Bearer ${apiKey}`, 'Accept: application/json', 'User-Agent: bench/1.0'];
  const pet = { id: petId, name: 'Rex', categoryId, status: 'available' };
  if (operation === 'getPet') return { request: message(`GET /store/pets/${petId}`, common), status: 200, body: pet };
  if (operation === 'listPets')
    return { request: message(`GET /pets?limit=${PAGE_SIZE}`, common), status: 200, body: Array.from({ length: PAGE_SIZE }, () => pet) };
  if (operation === 'refused') {
    const headers = common.filter((header) => !header.startsWith('Authorization'));
    return { request: message(`GET /store/pets/${petId}`, headers), status: 401, body: undefined };
  }
  const json = JSON.stringify({ name: 'Rex', categoryId });
  const headers = [...common, 'Content-Type: application/json', `Content-Length: ${json.length}`];
  return { request: message('POST /pets', headers, json), status: 201, body: pet };
}

const message = (line: string, headers: readonly string[], body = '') => `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;

/** Whether a response is the expected one. The first is compared as JSON, the others with the first. */
export function createAcceptor({ status, body }: Exchange): (response: RawResponse) => boolean {
  let accepted: string | undefined;
  return (response) => {
    if (response.status !== status) return false;
    if (accepted !== undefined) return response.body === accepted;
    // A chunked body has its size before and after it.
    const json = /[[{].*[\]}]/s.exec(response.body)?.[0] ?? 'null';
    if (body !== undefined && !isDeepStrictEqual(JSON.parse(json), body)) return false;
    accepted = response.body;
    return true;
  };
}
