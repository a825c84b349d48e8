/** Sign-ups that are confirmed by mail: only who reads the mail of an address learns whether it has an account. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '@specwright/server';

const TOKEN_TTL_MS = 86_400_000;

export interface SignUpToken {
  /** For who reads the mail. It holds the address and its end, signed; nothing is stored. */
  readonly token: string;
  /** ISO 8601, UTC: a day later. */
  readonly expiresAt: string;
}

export interface SignUps {
  /** Whose webhook gets the messages. */
  readonly accountId: number;
  readonly issue: (email: string, now: Date) => SignUpToken;
  /** The address that a token was issued for; `undefined` if it was not issued here, or has expired. */
  readonly emailOf: (token: string, now: Date) => string | undefined;
}

export interface SignUpOptions {
  readonly signUpAccount?: number | undefined;
  readonly signUpSecret?: string | undefined;
}

/** @returns `undefined` if sign-ups are not confirmed. @throws ConfigError for one variable without the other. */
export function openSignUps({ signUpAccount: accountId, signUpSecret: secret }: SignUpOptions): SignUps | undefined {
  if (accountId === undefined && secret === undefined) return undefined;
  if (accountId === undefined || secret === undefined)
    throw new ConfigError(['SIGN_UP_ACCOUNT and SIGN_UP_SECRET need each other: set both']);
  const sign = (content: string): Buffer => createHmac('sha256', secret).update(`sign-up ${content}`).digest();
  return {
    accountId,
    issue(email, now) {
      const expires = now.getTime() + TOKEN_TTL_MS;
      const content = Buffer.from(JSON.stringify([email, expires])).toString('base64url');
      return { token: `${content}.${sign(content).toString('base64url')}`, expiresAt: new Date(expires).toISOString() };
    },
    emailOf(token, now) {
      const [content = '', signature = ''] = token.split('.');
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(content)];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [email, expires] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string, number];
      return expires > now.getTime() ? email : undefined;
    },
  };
}
