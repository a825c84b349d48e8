/** The page of the local identity provider: who logs in is chosen, without a password. */
import type { TestUser } from './test-users.ts';

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
