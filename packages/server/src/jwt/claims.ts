/** What a verified token says. */

/** The claims of an access token (RFC 9068, section 2.2), and those that an issuer adds. */
export interface Claims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly sub?: string;
  readonly client_id?: string;
  readonly [name: string]: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * `scope` (RFC 9068, section 2.2.3), a text with spaces between, or a list; else `scp`, as Entra and Okta have it.
 *
 * @returns none if there is neither.
 */
export function scopesOf({ scope, scp }: Claims): readonly string[] {
  const given = scope ?? scp;
  if (isText(given)) return given.split(' ').filter((one) => one !== '');
  return Array.isArray(given) ? given.filter(isText) : [];
}
