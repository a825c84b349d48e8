/** Pipeline step: refuses a request whose head is not valid, for what Node lets pass or would answer without the contract's body. */
import { FrameworkError } from '../../errors.ts';
import type { Step } from '../exchange.ts';

/** uri-host [ ":" port ] (RFC 9110, section 7.2; RFC 3986, section 3.2.2). An http URI has a host that is not empty (section 4.2.1). */
const HOST = /^(\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|([\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(:\d*)?$/i;

/** Creates the step. It throws AppError invalid_request for Host (RFC 9112, section 3.2), expectation_failed for Expect. */
export function checkHead(): Step {
  // Requests have few different ones.
  let validHost: string | undefined;
  return ({ request: { headers, rawHeaders, httpVersion } }) => {
    // HTTP/2 has a field for it (RFC 9113, section 8.3.1).
    const { host = headers[':authority'] as string | undefined, expect } = headers;
    if (host === undefined) {
      if (httpVersion === '1.1') throw new FrameworkError('invalid_request', 'header/Host is required');
    } else if (host !== validHost) {
      if (!HOST.test(host)) throw new FrameworkError('invalid_request', 'header/Host is not a host');
      validHost = host;
    }
    if (hasTwoHosts(rawHeaders)) throw new FrameworkError('invalid_request', 'header/Host must be given once');
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new FrameworkError('expectation_failed', 'header/Expect must be 100-continue');
  };
}

/** `headers` has only the first one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let found = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (found) return true;
    found = true;
  }
  return false;
}
