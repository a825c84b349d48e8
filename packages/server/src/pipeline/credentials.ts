/** Finds the credentials of a request for a security scheme, and says in the terms of HTTP what is missing. */
import type { Request } from 'express';
import { FrameworkError } from '../errors.ts';
import type { SchemeContext } from './authenticate.ts';

export interface Credentials {
  /** The token or the key; for `basic` the name and the password with a colon between them. */
  readonly value: string;
  /** Refuses them, as the scheme wants it told. @throws AppError unauthorized */
  readonly refuse: (message: string) => never;
}

/** Where a scheme has its credentials, and how that is told. */
interface CredentialFormat {
  readonly challenge: string;
  /** What is said to who has sent none, and to who has sent something else. */
  readonly missing: string;
  readonly malformed: string;
  /** The challenge to who has sent some that are not good; RFC 6750, section 3, tells the error to those only. */
  readonly rejected?: string;
  /** What was sent, each as often as it was. */
  readonly given: (request: Request) => readonly string[];
  /** @returns `undefined` if it does not have the form. */
  readonly read: (text: string) => string | undefined;
}

/**
 * The credentials of a request, not verified.
 *
 * @param what what a token is called, for messages.
 * @throws AppError unauthorized with `WWW-Authenticate` (RFC 9110, section 15.5.2) if there are none, or more than one.
 */
export function requireCredentials(request: Request, use: SchemeContext, what = 'token'): Credentials {
  const { challenge, missing, malformed, rejected = challenge, given, read } = credentialFormat(use, what);
  const texts = given(request);
  if (texts.length === 0) throw refusal(missing, challenge);
  const value = texts.length === 1 ? read(texts[0] ?? '') : undefined;
  if (value === undefined || value === '') throw refusal(malformed, rejected);
  return {
    value,
    refuse: (message) => {
      throw refusal(message, rejected);
    },
  };
}

const refusal = (message: string, challenge: string) =>
  new FrameworkError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } });

// Node joins repeated fields only for some names and drops the others, Authorization among them; two are one too many.
const headerValues = (request: Request, name: string): readonly string[] => request.headersDistinct[name.toLowerCase()] ?? [];

function credentialFormat({ definition, realm }: SchemeContext, what: string): CredentialFormat {
  switch (definition.type) {
    case 'apiKey':
      return apiKeyFormat(definition, realm);
    case 'http':
      return httpCredentialFormat(definition.scheme, realm, what);
    case 'oauth2':
    case 'openIdConnect':
      return httpCredentialFormat('bearer', realm, what);
  }
}

function httpCredentialFormat(scheme: string, realm: string, what: string): CredentialFormat {
  const given = (request: Request) => headerValues(request, 'Authorization');
  switch (scheme.toLowerCase()) {
    case 'bearer': {
      const form = `"Bearer <${what.toUpperCase().replaceAll(' ', '_')}>"`;
      const challenge = `Bearer realm="${realm}"`;
      return {
        challenge,
        rejected: `${challenge}, error="invalid_token"`,
        missing: `send the ${what} as ${form.replace('"', '"Authorization: ')}`,
        malformed: `the Authorization header must be ${form}`,
        given,
        read: (text) => /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(text)?.[1],
      };
    }
    case 'basic':
      return {
        challenge: `Basic realm="${realm}", charset="UTF-8"`,
        missing: 'send name and password as "Authorization: Basic <BASE64>"',
        malformed: 'the Authorization header must be "Basic <BASE64>" of a name, a colon and a password',
        given,
        read: readBasic,
      };
    default:
      return {
        challenge: `${scheme} realm="${realm}"`,
        missing: `send credentials as "Authorization: ${scheme} <CREDENTIALS>"`,
        malformed: `the Authorization header must be "${scheme} <CREDENTIALS>"`,
        given,
        read: (text) => (text.toLowerCase().startsWith(`${scheme.toLowerCase()} `) ? text.slice(scheme.length + 1).trim() : undefined),
      };
  }
}

/** RFC 7617, section 2: the name has no colon, the password may have some. */
function readBasic(text: string): string | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(text)?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return decoded.includes(':') ? decoded : undefined;
}

/** No scheme is registered for keys; a 401 needs a challenge all the same, so it names the place. */
function apiKeyFormat({ in: where, name }: { in: 'header' | 'query' | 'cookie'; name: string }, realm: string): CredentialFormat {
  const place = { header: `header ${name}`, query: `query parameter ${name}`, cookie: `cookie ${name}` }[where];
  return {
    challenge: `ApiKey realm="${realm}", in="${where}", name="${name}"`,
    missing: `send the API key in the ${place}`,
    malformed: `the ${place} must be one API key`,
    given: (request) => {
      if (where === 'header') return headerValues(request, name);
      if (where === 'query') return request.exchange.query.getAll(name);
      return cookies(request, name);
    },
    read: (text) => text.trim(),
  };
}

/** RFC 6265, section 4.2.1. */
function cookies(request: Request, name: string): string[] {
  const pairs = headerValues(request, 'Cookie').flatMap((line) => line.split(';'));
  return pairs.filter((pair) => pair.slice(0, pair.indexOf('=')).trim() === name).map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
}
