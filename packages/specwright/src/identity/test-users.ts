/** The test users of the local identity provider: they differ in the scopes of the contracts that they may have. */
import { readDocument, operationTable, type Operation } from '@specwright/contract/document';

export interface TestUser {
  /** What `sub` of their tokens is. */
  readonly id: string;
  readonly name: string;
  /** The scopes that they may have, sorted: an application gets those of them that it asks for. */
  readonly scopes: readonly string[];
}

/** One who may do everything, one who may do nothing, and one who may read, if that is something else. */
export function testUsers(operations: readonly Pick<Operation, 'method' | 'scopes'>[]): TestUser[] {
  const scopesOf = (some: typeof operations) => [...new Set(some.flatMap(({ scopes = {} }) => Object.values(scopes).flat()))].sort();
  const all = scopesOf(operations);
  const reading = scopesOf(operations.filter(({ method }) => method === 'get' || method === 'head'));
  const isBetween = reading.length > 0 && reading.length < all.length;
  return [
    { id: 'admin', name: 'Ada Admin', scopes: all },
    ...(isBetween ? [{ id: 'reader', name: 'Rita Reader', scopes: reading }] : []),
    { id: 'guest', name: 'Gus Guest', scopes: [] },
  ];
}

/**
 * Those of contracts that are being edited: they are read at each call, and one that cannot be read has no effect.
 *
 * @param specs the files of the contracts.
 */
export function watchTestUsers(specs: readonly string[]): () => readonly TestUser[] {
  let users = testUsers([]);
  return () => {
    try {
      users = testUsers(specs.flatMap((spec) => Object.values(operationTable(readDocument(spec).document))));
    } catch {
      // The loop reports what is wrong with it. The users remain those of its last good version.
    }
    return users;
  };
}

/** `admin (songs:read, songs:write)` */
export const formatTestUser = ({ id, scopes }: TestUser): string => `${id} (${scopes.length === 0 ? 'no scopes' : scopes.join(', ')})`;
