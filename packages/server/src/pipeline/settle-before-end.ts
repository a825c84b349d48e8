/** Holds back the end of a response until what the request has left to be done is done: a platform may freeze the process then. */
import type { ServerResponse } from 'node:http';

/** What has to be done before the end of a response. What it throws is its own to report. */
export type Settle = () => Promise<unknown>;

/** Whatever ends the response: the pipeline, an error, a stream, middleware. A second end has no effect, as without this. */
export function settleBeforeEnd(response: ServerResponse, settle: Settle): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  let isEnded = false;
  response.end = (...args: unknown[]) => {
    const endNow = () => void end(...args);
    if (!isEnded) settle().then(endNow, endNow);
    isEnded = true;
    return response;
  };
}
