/** Content-Digest (RFC 9530): what a client says the bytes of its body are, content codings included. */
import { createHash, type Hash } from 'node:crypto';
import { FrameworkError } from '@specwright/contract/runtime';

/** The algorithms that are verified, by their names in the field; all others are ignored (RFC 9530, section 5). */
const ALGORITHMS = new Map([
  ['sha-256', { hash: 'sha256', length: 32 }],
  ['sha-512', { hash: 'sha512', length: 64 }],
]);

/** A member of a dictionary of byte sequences, without its parameters (RFC 8941, sections 3.2 and 3.3.5). */
const MEMBER = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):(?:;.*)?$/;

export type Digests = ReadonlyMap<string, Buffer>;

/** @returns the digests that can be verified. @throws AppError invalid_request for a field that is malformed. */
export function parseContentDigest(field: string): Digests {
  const digests = new Map<string, Buffer>();
  if (field.trim() === '') return digests;
  for (const member of field.split(',')) {
    const [, name = '', text = ''] = MEMBER.exec(member.trim()) ?? [];
    const algorithm = ALGORITHMS.get(name);
    const digest = Buffer.from(text, 'base64');
    if (name === '' || (algorithm !== undefined && digest.length !== algorithm.length))
      throw new FrameworkError('invalid_request', 'header/Content-Digest must be digests such as sha-256=:<base64>: (RFC 9530)');
    if (algorithm !== undefined) digests.set(name, digest);
  }
  return digests;
}

/** Verifies the digests of bytes that come in parts. */
export class DigestVerifier {
  readonly #expected: readonly { readonly name: string; readonly digest: Buffer; readonly hash: Hash }[];

  constructor(digests: Digests) {
    this.#expected = [...digests].map(([name, digest]) => ({ name, digest, hash: createHash(ALGORITHMS.get(name)?.hash ?? '') }));
  }

  update(bytes: Buffer): void {
    for (const { hash } of this.#expected) hash.update(bytes);
  }

  /** @returns what is wrong, once all bytes were given. */
  end(): Error | undefined {
    const wrong = this.#expected.find(({ digest, hash }) => !hash.digest().equals(digest));
    return wrong && new FrameworkError('invalid_request', `body does not have the ${wrong.name} of header/Content-Digest`);
  }
}

/** @throws AppError invalid_request if the bytes of a body are not those of the field. */
export function verifyContentDigest(field: string, bytes: Buffer): void {
  const verifier = new DigestVerifier(parseContentDigest(field));
  verifier.update(bytes);
  const problem = verifier.end();
  if (problem !== undefined) throw problem;
}
