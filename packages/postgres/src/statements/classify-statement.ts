/** What is known of statements that are built again and again, computed once for each text: the name under which a connection prepares it, and who may run it. */
import { hash } from 'node:crypto';

export interface StatementClass {
  /** The same for the same text: each connection prepares it once, and only binds it from then on. */
  readonly name: string;
  /** Whether it reads, calls no function, which may do more than read, and locks nothing: it may share a connection. */
  readonly isRead: boolean;
}

/** Services have some hundred statements; texts that are made at run time must not be kept without end. */
const MAX_CACHED = 2000;
const DIGEST_LENGTH = 20;
/** What can be prepared and is worth it: what sets up a session or a schema is run once. */
const PREPARABLE = /^[\s(]*(?:select|insert|update|delete|with)\b/i;
const SELECT = /^\s*select\b/i;
const FUNCTION_OR_LOCK = /\w\(|\bfor (?:no key update|update|share|key share)\b/i;

const cache = new Map<string, StatementClass | null>();

/** @returns null for a statement that is not prepared. */
export function classifyStatement(text: string): StatementClass | null {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const found = PREPARABLE.test(text)
    ? { name: hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH), isRead: SELECT.test(text) && !FUNCTION_OR_LOCK.test(text) }
    : null;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, found);
  return found;
}
