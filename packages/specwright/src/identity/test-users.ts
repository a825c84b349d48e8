/** The test users of the local identity provider: they differ in the scopes of the contracts that they may have. */
import { type Operation, operationTable, readDocument } from '@specwright/contract/document';

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

/** No `form-action`: Chromium applies it to the redirect to the application too. */
export const LOGIN_POLICY = "default-src 'none'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/** @param client the application; @param requested the scopes that it asks for. */
export function loginPage(users: readonly TestUser[], client: string, requested: readonly string[]): string {
  const button = ({ id, name, scopes }: TestUser) => {
    const granted = requested.filter((scope) => scopes.includes(scope));
    const says = granted.length === 0 ? 'no scopes' : granted.join(', ');
    return `<p><button name="user" value="${escapeHtml(id)}">${escapeHtml(name)} (${escapeHtml(id)})</button> gets ${escapeHtml(says)}</p>`;
  };
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<title>Log in as a test user</title><link rel="icon" href="data:,"></head><body>' +
    `<h1>Log in to ${escapeHtml(client)} as a test user</h1><p>This is a provider for development, on this machine only.</p>` +
    `<form method="post">${users.map(button).join('')}</form></body></html>\n`
  );
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
