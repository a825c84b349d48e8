/** Asks the authorization server whether a token is still active (RFC 7662), so that one that was revoked is refused before it expires. */
import { FetchFailed, fetchJson, requireSecureUrl, type FetchOptions } from './fetch-json.ts';
import type { IssuerMetadata } from './issuer-metadata.ts';
import type { IntrospectionOptions } from './token-options.ts';

/** How long an answer is believed: how long a token that was revoked is accepted. */
export const INTROSPECTION_CACHE_MS = 10_000;
/** How many requests are under way at once; what is beyond them is refused with 503. */
const MAX_IN_FLIGHT = 100;

/** RFC 6749, section 2.3.1: both are encoded as in forms before they are put together. */
const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** @returns a function that says whether a token is active. @throws FetchFailed */
export function createIntrospection(
  { endpoint, clientId, clientSecret }: IntrospectionOptions,
  metadata: IssuerMetadata,
  options: FetchOptions,
): (token: string) => Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
  if (endpoint !== undefined) requireSecureUrl(endpoint, 'introspection.endpoint');
  const ask = async (url: string | undefined, token: string): Promise<boolean> => {
    if (url === undefined) throw new FetchFailed('the metadata has no introspection_endpoint: give the option introspection.endpoint');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: authorization };
    const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
    const { active } = await fetchJson(requireSecureUrl(url, 'introspection_endpoint'), options, { method: 'POST', headers, body });
    return active === true;
  };
  let inFlight = 0;
  return async (token) => {
    if (inFlight >= MAX_IN_FLIGHT) throw new FetchFailed('too many introspections are under way');
    inFlight += 1;
    try {
      return await (endpoint === undefined ? metadata.use(({ introspection }) => ask(introspection, token)) : ask(endpoint, token));
    } finally {
      inFlight -= 1;
    }
  };
}
