/** The authenticator of accounts: an API key, from wherever a security scheme of the contract has it. */
import { apiKey, basic, bearer, unimplementedScheme, type Authenticator } from '@specwright/server';
import type { Caller } from './find-caller.ts';

/**
 * Takes the key from the header, the query or the cookie of `apiKey`, from the bearer token of `http` `bearer`, `oauth2` and
 * `openIdConnect`, or from `http` `basic`, where it is the password, or the name if the password is empty. Other schemes of
 * `http` have no place for a key: they answer 501.
 *
 * @param findCaller whose a key is; `undefined` if it is not valid.
 */
export function accountKey(findCaller: (key: string) => Promise<Caller | undefined>): Authenticator<Caller> {
  const key = apiKey(findCaller);
  const token = bearer(findCaller, 'API key');
  const password = basic((name, given) => findCaller(given === '' ? name : given));
  return (request, scheme) => {
    const { definition } = scheme;
    if (definition.type === 'apiKey') return key(request, scheme);
    if (definition.type !== 'http') return token(request, scheme);
    const http: Readonly<Record<string, Authenticator<Caller>>> = { bearer: token, basic: password };
    return (http[definition.scheme.toLowerCase()] ?? unimplementedScheme)(request, scheme);
  };
}
