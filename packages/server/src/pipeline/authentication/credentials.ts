/** Verifies the credentials of a request for a security scheme, and refuses missing and unknown ones with the challenge of HTTP. */
import type { Request } from 'express';
import { type RequiredScheme, isThenable, parseCookies } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import { headerValues } from '../../http/request-head.ts';

/** The scheme that an authenticator verifies, as the operation requires it. */
export interface SchemeContext extends RequiredScheme {
  /** The name in challenges (RFC 9110, section 11.5). */
  readonly realm: string;
  /** Where the metadata of the resource are that its tokens are for (RFC 9728, section 5.1). */
  readonly resourceMetadata?: string | undefined;
}

/** The challenges (`WWW-Authenticate`) of an error by its code, where a handler refuses a caller that was authenticated. */
export interface Challenges {
  /** For credentials that turn out to be unknown. */
  readonly unauthorized?: string;
  /** For credentials that turn out to have too few scopes (RFC 6750, section 3.1). */
  readonly insufficient_scope?: string;
  /** The security scheme that is not implemented, whose credentials cannot be verified: no handler is called. */
  readonly unimplementedScheme?: string;
}

/** A query builder is waited for like a promise. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** Whom a look-up of credentials is for. */
export interface LookUpLimit {
  /**
   * Runs a look-up of credentials that are not known to have been valid, if the client's address may have another one: those
   * that find no caller are limited as requests without credentials are, before the database is asked.
   *
   * @throws AppError rate_limited
   */
  lookUp<T>(run: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Finds whose credentials these are; `undefined` if they are not valid. What asks a database should do so by `limit.lookUp`. */
export type Find<Caller> = (credentials: string, scheme: SchemeContext, limit: LookUpLimit) => MaybePromise<Caller | undefined>;

type Verify<Caller> = (request: Request, scheme: SchemeContext) => MaybePromise<Caller>;

/** The credentials of a scheme. Made once for a scheme, so that a request composes no texts. */
export interface SchemeCredentials {
  /**
   * @param find gets the token or the key, with the right syntax; for `basic` the name and the password with a colon between.
   * @param unknown the message for credentials without a caller.
   * @returns what finds the caller of a request, and throws AppError unauthorized with `WWW-Authenticate` (RFC 9110, section 15.5.2) if
   *   there are no credentials, more than one, or unknown ones.
   */
  readonly verifyBy: <Caller>(find: Find<Caller>, unknown: string) => Verify<Caller>;
  readonly challenge: string;
  /** The challenge for credentials that are valid, but lack scopes (RFC 6750, section 3.1). @param scope those that are required. */
  readonly insufficientScope: (scope: string) => string;
}

interface CredentialFormat {
  readonly challenge: string;
  /** The messages for missing credentials, and for credentials with the wrong syntax. */
  readonly missing: string;
  readonly malformed: string;
  /** The challenge if credentials were sent, where it differs: RFC 6750, section 3, has `error` only then. */
  readonly invalidChallenge?: string;
  /** The header field that has them, in lower case, or what finds them elsewhere. */
  readonly location: string | ((request: Request) => readonly string[]);
  /** @returns `undefined` if the syntax is wrong. */
  readonly parse: (text: string) => string | undefined;
}

/** @param tokenName what a token is called in messages. */
export function schemeCredentials(scheme: SchemeContext, tokenName = 'token'): SchemeCredentials {
  const { challenge, invalidChallenge = challenge, missing, malformed, location, parse } = credentialFormat(scheme, tokenName);
  return {
    verifyBy(find, unknown) {
      // Made once: a stack trace for each would be a large part of what a refused request costs.
      const [absent, invalid] = [refusal(missing, challenge), refusal(malformed, invalidChallenge)];
      const refuse = (): never => {
        throw refusal(unknown, invalidChallenge);
      };
      return (request, required) => {
        const { exchange } = request;
        const texts = typeof location === 'string' ? headerValues(request, location) : location(request);
        if (texts.length === 0) throw absent;
        const value = texts.length === 1 ? parse(texts[0] ?? '') : undefined;
        if (value === undefined || value === '') throw invalid;
        exchange.hasCredentials = true;
        const found = find(value, required, exchange);
        return isThenable(found) ? Promise.resolve(found).then((caller) => caller ?? refuse()) : (found ?? refuse());
      };
    },
    challenge: invalidChallenge,
    insufficientScope: (scope) => `${challenge}, error="insufficient_scope"${scope === '' ? '' : `, scope="${scope}"`}`,
  };
}

const refusal = (message: string, challenge: string) =>
  new FrameworkError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } });

/** The challenge of bearer tokens: RFC 6750, section 3, and RFC 9728, section 5.1. */
export const bearerChallenge = ({ realm, resourceMetadata }: SchemeContext): string =>
  `Bearer realm="${realm}"${resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`}`;

function credentialFormat(scheme: SchemeContext, tokenName: string): CredentialFormat {
  const { definition, realm } = scheme;
  switch (definition.type) {
    case 'apiKey':
      return apiKeyFormat(definition, realm);
    case 'http':
      return httpCredentialFormat(definition.scheme, scheme, tokenName);
    case 'oauth2':
    case 'openIdConnect':
      return httpCredentialFormat('bearer', scheme, tokenName);
    case 'mutualTLS':
      return {
        challenge: `mutualTLS realm="${realm}"`,
        missing: 'client certificates are not read here: send the credentials of another scheme',
        malformed: '',
        location: () => [],
        parse: () => undefined,
      };
  }
}

function httpCredentialFormat(scheme: string, context: SchemeContext, tokenName: string): CredentialFormat {
  const { realm } = context;
  const location = 'authorization';
  switch (scheme.toLowerCase()) {
    case 'bearer': {
      const syntax = `"Bearer <${tokenName.toUpperCase().replaceAll(' ', '_')}>"`;
      const challenge = bearerChallenge(context);
      return {
        challenge,
        invalidChallenge: `${challenge}, error="invalid_token"`,
        missing: `send the ${tokenName} as ${syntax.replace('"', '"Authorization: ')}`,
        malformed: `the Authorization header must be ${syntax}`,
        location,
        parse: (text) => /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(text)?.[1],
      };
    }
    case 'basic':
      return {
        challenge: `Basic realm="${realm}", charset="UTF-8"`,
        missing: 'send name and password as "Authorization: Basic <BASE64>"',
        malformed: 'the Authorization header must be "Basic <BASE64>" of a name, a colon and a password',
        location,
        parse: parseBasic,
      };
    default:
      return {
        challenge: `${scheme} realm="${realm}"`,
        missing: `send credentials as "Authorization: ${scheme} <CREDENTIALS>"`,
        malformed: `the Authorization header must be "${scheme} <CREDENTIALS>"`,
        location,
        parse: (text) => (text.toLowerCase().startsWith(`${scheme.toLowerCase()} `) ? text.slice(scheme.length + 1).trim() : undefined),
      };
  }
}

/** RFC 7617, section 2: the name has no colon, the password may have. */
function parseBasic(text: string): string | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(text)?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return decoded.includes(':') ? decoded : undefined;
}

/** A 401 needs a challenge, but no scheme is registered for API keys: this one says where the key is sent. */
function apiKeyFormat({ in: place, name }: { in: 'header' | 'query' | 'cookie'; name: string }, realm: string): CredentialFormat {
  const description = { header: `header ${name}`, query: `query parameter ${name}`, cookie: `cookie ${name}` }[place];
  const locations: Record<typeof place, CredentialFormat['location']> = {
    header: name.toLowerCase(),
    query: (request) => request.exchange.query.getAll(name),
    cookie: (request) => parseCookies(headerValues(request, 'cookie')).get(name) ?? [],
  };
  return {
    challenge: `ApiKey realm="${realm}", in="${place}", name="${name}"`,
    missing: `send the API key in the ${description}`,
    malformed: `the ${description} must be one API key`,
    location: locations[place],
    parse: (text) => text.trim(),
  };
}
