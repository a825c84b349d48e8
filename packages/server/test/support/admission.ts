/** Requests to admission without a server: they arrive, their caller is found, and they run, wait or are refused. */
import { Admission } from '../../src/pipeline/admission/admission.ts';
import { HeaderFields } from '@specwright/contract';
import type { Exchange } from '../../src/pipeline/exchange.ts';

/** The deadline of requests: a wait is at most half of it. */
export const TIMEOUT_MS = 1000;

/** One request; its state is that of its ticket. */
export interface Sent {
  readonly exchange: Exchange;
  readonly state: () => string | undefined;
  /** `go` once the steps after admission run, or the code of the error. */
  outcome: string | undefined;
}

/** Admission of one operation, without the other steps of the pipeline. */
export function startAdmission() {
  const admission = new Admission({
    requestTimeoutMs: TIMEOUT_MS,
    rateLimit: { addressOf: ({ addressBucket = '' }) => addressBucket, bucketOf: ({ caller }) => String(caller) },
    log: { warn: () => undefined },
  });
  const admit = admission.admit();
  const follow = (sent: Sent, pending: void | Promise<void>) => {
    if (pending === undefined) sent.outcome = 'go';
    else void pending.then(() => (sent.outcome = 'go')).catch((error: unknown) => (sent.outcome = (error as { code: string }).code));
  };
  /** Arrives, and is being authenticated unless it has a slot. @throws AppError */
  function arrive(addressBucket: string, socket: object = {}): Sent {
    const exchange = {
      addressBucket,
      arrivedAt: performance.now(),
      deadline: performance.now() + TIMEOUT_MS,
      request: { socket, httpVersionMajor: 1 },
      headers: new HeaderFields(),
      response: { destroyed: false },
      caller: undefined,
    } as unknown as Exchange;
    void admit(exchange);
    return { exchange, state: () => exchange.ticket?.state, outcome: undefined };
  }
  /** The look-up of the caller has ended. */
  function authenticate(sent: Sent, caller: string | undefined): Sent {
    Object.assign(sent.exchange, { caller });
    try {
      follow(sent, admission.acquireSlot(sent.exchange));
    } catch (error) {
      sent.outcome = (error as { code: string }).code;
    }
    return sent;
  }
  const send = (account: string | undefined, address = `of ${account}`, socket: object = {}) =>
    authenticate(arrive(address, socket), account);
  const sendMany = (count: number, account: string) => Array.from({ length: count }, () => send(account));
  return { admission, arrive, authenticate, follow, send, sendMany };
}
