/** What a client meets after a breaking change, by the name of the rule. */

const REFUSED = 'requests that were valid are refused with 400';
const UNKNOWN = 'a client receives what its contract excluded';
const REFUSED_PROPERTY = 'requests with it are refused with 400';
const GONE = 'a client that relies on it no longer gets it';

/** Rules that concern requests alone, responses alone, or neither. The impact of the others depends on the direction. */
const IMPACTS: Readonly<Record<string, string>> = {
  'base-invalid': 'the base cannot be read, so breaking changes cannot be found',
  'path-removed': 'every call to it is answered with 404',
  'operation-removed': 'every call to it is answered with 404 or 405',
  'operation-id-changed': 'generated clients name a function after it, and code that calls it no longer compiles',
  'server-removed': 'clients continue to call the former address',
  'parameter-removed': 'requests with it are refused with 400: an unknown parameter is not ignored',
  'parameter-became-required': 'requests without it are refused with 400',
  'parameter-serialization-changed': 'a value in the former serialization is misread, or refused with 400',
  'request-body-removed': 'a body is ignored, or refused',
  'request-body-became-required': 'requests without a body are refused with 400',
  'response-removed': 'a client that waits for this status no longer sees it',
  'response-header-removed': GONE,
  'response-header-became-optional': 'a client that reads it without a check fails when it is absent',
  'property-became-read-only': REFUSED,
  'property-became-write-only': GONE,
  'required-properties-added': 'requests without them are refused with 400',
  'required-properties-removed': 'a client that reads them without a check fails when they are absent',
  'enum-values-removed': REFUSED,
  'enum-values-added': `${UNKNOWN}: a switch over the values has no case for it`,
  'default-changed': 'requests without the value behave differently, though the client has not changed',
  'discriminator-changed': 'a client chooses the type by a property that no longer determines it',
  'security-requirement-changed': 'requests that were authorized are answered with 401 or 403',
  'security-scheme-changed': 'credentials in the former place are not found: 401',
  'stability-lowered': 'clients rely on a stability that is no longer promised',
  'sunset-earlier': 'clients that planned for the former day are answered with 410 from the new one on',
  'body-limit-lowered': 'larger requests, which were accepted, are refused with 413',
  'rate-limit-lowered': 'a client that stayed within its limit is answered with 429',
  'rate-limit-cost-raised': 'a client that stayed within its limit is answered with 429',
};

/** @param sent whether clients send what has changed; @param received whether they receive it. */
export function impactOf(rule: string, sent: boolean, received: boolean): string {
  const known = IMPACTS[rule];
  if (known !== undefined) return known;
  if (rule === 'media-type-removed')
    return sent ? 'requests in this format are refused with 400' : 'a client that reads this format no longer gets it';
  if (rule === 'property-removed') return [...(sent ? [REFUSED_PROPERTY] : []), ...(received || !sent ? [GONE] : [])].join('; ');
  if (sent && received) return `it is part of requests and of responses: ${REFUSED}, or ${UNKNOWN}`;
  return sent ? REFUSED : UNKNOWN;
}
