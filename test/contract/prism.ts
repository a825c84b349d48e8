/** Prism's proxy in front of servers, as another judge of responses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { HttpResponse } from 'specwright/testing';

export interface Prism<Name extends string> {
  /** Where each upstream is reached through it. */
  readonly urls: Readonly<Record<Name, string>>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a process with a proxy for each of the servers.
 *
 * @param spec path of the document. @param upstreams base URLs. @throws Error with its output if it does not start.
 */
export async function startPrism<Name extends string>(spec: string, upstreams: Readonly<Record<Name, string>>): Promise<Prism<Name>> {
  // Its standard input is a pipe from here, so it ends with the test process, however that ends.
  const args = ['--import', 'tsx', 'test/contract/prism-server.ts', spec, ...Object.values<string>(upstreams)];
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
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
