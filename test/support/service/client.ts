/** Clients of the service that send an API key: the generated one, and one for paths and bodies that no client sends. */
import { createClient as createPetStoreClient, type Client, type ClientOptions, type Credentials } from '../../../generated/client.ts';
import { createClient, type JsonClient } from 'specwright/testing';

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** @param url where the server is; @param key the API key to send with every request. */
export const clientWithKey = (url: string, key: string): JsonClient => createClient(url, { Authorization: `Bearer ${key}` });

/** The generated client, which knows the operations. */
export const petStore = (baseUrl: string, key?: string, options: Partial<ClientOptions<Credentials>> = {}): Client =>
  createPetStoreClient({ baseUrl, ...(key !== undefined && { credentials: { bearerAuth: key } }), ...options });
