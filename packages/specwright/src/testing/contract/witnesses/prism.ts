/** Prism as a proxy between client and server: a validator of responses that shares no code with the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpResponse } from './witness.ts';

// In a checkout the program is TypeScript, in the package JavaScript.
const EXTENSION = extname(fileURLToPath(import.meta.url));
const PROGRAM = fileURLToPath(new URL(`prism-server${EXTENSION}`, import.meta.url));

export interface Prism<Name extends string> {
  /** Where each upstream is reached through it. */
  readonly urls: Readonly<Record<Name, string>>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a process with a proxy for each of the servers. It needs the peer dependency `@stoplight/prism-cli`.
 *
 * @param spec path of the document. @param upstreams base URLs. @throws Error with its output if it does not start.
 */
export async function startPrism<Name extends string>(spec: string, upstreams: Readonly<Record<Name, string>>): Promise<Prism<Name>> {
  const loader = EXTENSION === '.ts' ? ['--import', 'tsx'] : [];
  // Its standard input is a pipe from here, so it ends with the test process, however that ends.
  const child = spawn(process.execPath, [...loader, PROGRAM, spec, ...Object.values<string>(upstreams)], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const exited = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  const [first] = (await Promise.race([once(child.stdout, 'data'), exited])) as [unknown];
  if (!Buffer.isBuffer(first)) throw new Error(`Prism ended before it listened:\n${errors}`);
  const urls = JSON.parse(first.toString()) as string[];
  return {
    urls: Object.fromEntries(Object.keys(upstreams).map((name, i) => [name, urls[i]])) as Record<Name, string>,
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** What Prism reports about a response that came through it: violations, or an error of its own. */
export function prismProblems({ status, headers, text }: HttpResponse): string[] {
  const violations = headers.get('sl-violations');
  if (violations !== null) {
    const listed = JSON.parse(violations) as { location: string[]; message: string }[];
    return listed.map(({ location, message }) => `${location.join('/')} ${message}`);
  }
  return headers.get('content-type') === 'application/problem+json' ? [`Prism answers ${status}: ${text}`] : [];
}
