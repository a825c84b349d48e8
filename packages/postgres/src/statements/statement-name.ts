/** Names of statements that are built again and again: each connection prepares one once, and only binds it from then on. */
import { hash } from 'node:crypto';

/** Services have some hundred statements; texts that are made at run time must not be kept without end. */
const MAX_CACHED = 2000;
const DIGEST_LENGTH = 20;
/** What can be prepared and is worth it: what sets up a session or a schema is run once. */
const PREPARABLE = /^[\s(]*(?:select|insert|update|delete|with)\b/i;

const cache = new Map<string, string | undefined>();

/** @returns the same name for the same text; `undefined` for a statement that is not prepared. */
export function statementName(text: string): string | undefined {
  const cached = cache.get(text);
  if (cached !== undefined || cache.has(text)) return cached;
  const name = PREPARABLE.test(text) ? hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH) : undefined;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, name);
  return name;
}
