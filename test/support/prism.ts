/** Prism between client and server: a judge of responses that shares no code with the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer } from './witness.ts';

const PROGRAM = fileURLToPath(new URL('prism-server.mjs', import.meta.url));
const SPEC = fileURLToPath(new URL('../../spec/petstore.yaml', import.meta.url));

export interface Prism<Name extends string> {
  /** Where each upstream is reached through it. */
  readonly urls: Readonly<Record<Name, string>>;
  close(): Promise<void>;
}

/** Starts one process with a proxy before each of the servers. @throws Error with what it wrote, if it does not start. */
export async function startPrism<Name extends string>(upstreams: Readonly<Record<Name, string>>): Promise<Prism<Name>> {
  // Its standard input is a pipe from here, so it ends with the test process, however that ends.
  const child = spawn(process.execPath, [PROGRAM, SPEC, ...Object.values<string>(upstreams)], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
  if (!Buffer.isBuffer(said)) throw new Error(`Prism ended before it listened:\n${errors}`);
  const urls = JSON.parse(said.toString()) as string[];
  return {
    urls: Object.fromEntries(Object.keys(upstreams).map((name, i) => [name, urls[i]])) as Record<Name, string>,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** What Prism says against an answer that came through it: violations, or a refusal of its own. */
export function prismProblems({ status, headers, text }: Answer): string[] {
  const violations = headers.get('sl-violations');
  if (violations !== null) {
    const listed = JSON.parse(violations) as { location: string[]; message: string }[];
    return listed.map(({ location, message }) => `${location.join('/')} ${message}`);
  }
  return headers.get('content-type') === 'application/problem+json' ? [`Prism answers ${status}: ${text}`] : [];
}
