/** A client of the service that sends an API key. */
import { createClient, type JsonClient } from '@specwright/testing';

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** @param url where the server is; @param key the API key to send with every request. */
export const clientWithKey = (url: string, key: string): JsonClient => createClient(url, { Authorization: `Bearer ${key}` });
