/** Why a client breaks, in words, by the name of the rule. */

const REFUSED = 'requests that were valid are refused with 400';
const UNKNOWN = 'a client receives what it was told would never come';
const GONE = 'a client that relies on it no longer gets it';

/** The rules whose breaks lie in requests alone, in responses alone, or in neither. The others are told by direction. */
const WHY: Readonly<Record<string, string>> = {
  'base-invalid': 'what the base promised cannot be told, so nothing is known of what breaks',
  'path-removed': 'every call to it is answered with 404',
  'operation-removed': 'every call to it is answered with 404 or 405',
  'operation-id-changed': 'clients generated from the spec name a function after it, and no longer compile',
  'server-removed': 'clients go on calling the former address',
  'parameter-removed': 'who sends it is refused with 400: an unknown parameter is not ignored',
  'parameter-became-required': 'who leaves it out is refused with 400',
  'parameter-serialization-changed': 'a value written in the former way is read as another one, or refused with 400',
  'request-body-removed': 'who sends one has it ignored, or is refused',
  'request-body-became-required': 'who sends none is refused with 400',
  'response-removed': 'a client that waits for this status no longer sees it',
  'response-header-removed': GONE,
  'response-header-became-optional': 'a client that reads it without a check fails when it is not there',
  'property-removed': GONE,
  'property-became-read-only': REFUSED,
  'property-became-write-only': GONE,
  'required-properties-added': 'who leaves them out is refused with 400',
  'required-properties-removed': 'a client that reads them without a check fails when they are not there',
  'enum-values-removed': REFUSED,
  'enum-values-added': `${UNKNOWN}: a switch over the values has no case for it`,
  'default-changed': 'who leaves the value out gets another behaviour without having changed anything',
  'discriminator-changed': 'a client picks the type by a property that no longer says it',
  'security-requirement-changed': 'callers who were let in are answered with 401 or 403',
  'security-scheme-changed': 'credentials sent in the former way are not found: 401',
  'stability-lowered': 'clients were promised more than now holds',
  'sunset-earlier': 'clients that planned for the former day meet 410 from the new one on',
  'rate-limit-lowered': 'a client that kept to its limit is answered with 429',
  'rate-limit-cost-raised': 'a client that kept to its limit is answered with 429',
};

/** @param sent whether clients send what has changed; @param received whether they receive it. */
export function why(rule: string, sent: boolean, received: boolean): string {
  const known = WHY[rule];
  if (known !== undefined) return known;
  if (rule === 'media-type-removed') return sent ? 'who sends it is refused with 400' : 'a client that reads this format no longer gets it';
  if (sent && received) return `it is part of requests and of responses: ${REFUSED}, or ${UNKNOWN}`;
  return sent ? REFUSED : UNKNOWN;
}
