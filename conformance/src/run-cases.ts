/** Sends cases to a server and judges its responses. */
import type { Case } from './case.ts';
import { type Judgement, judge } from './judge.ts';
import { send } from './send.ts';

/** How many requests are under way at once. */
const AT_ONCE = 4;

export interface Result extends Judgement {
  readonly id: string;
}

/**
 * @param base the URL of the server; a path in it precedes the paths of the contracts
 * @param timeoutMs how long a response may take, in milliseconds
 */
export async function runCases(base: URL, cases: readonly Case[], timeoutMs: number): Promise<Result[]> {
  const results: Result[] = [];
  const left = cases.entries();
  const port = Number(base.port === '' ? 80 : base.port);
  const prefix = base.pathname.replace(/\/$/u, '');
  const work = async (): Promise<void> => {
    for (const [at, tried] of left) {
      const bytes = tried.request.replace(/^(\S+) \//u, `$1 ${prefix}/`);
      const response = await send(base.hostname, port, bytes, timeoutMs).catch((error: unknown) => error as Error);
      results[at] = { id: tried.id, ...judge(tried, response) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
