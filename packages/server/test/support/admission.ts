/** Requests to admission without a server: they arrive, their caller is found, and they run, wait or are refused. */
import { Admission } from '../../src/pipeline/admission/admission.ts';
import { type Arrival, ExchangeState, INITIAL_HEADERS, NO_SLOT } from '../../src/pipeline/exchange.ts';
import { ExchangeLifecycle } from '../../src/pipeline/exchange-lifecycle.ts';

/** The deadline of requests: a wait is at most half of it. */
export const TIMEOUT_MS = 1000;

/** One request. */
export interface Sent {
  readonly exchange: ExchangeState;
  /** `running` with a slot, else its phase. */
  readonly state: () => string;
  /** `go` once the steps after admission run, or the code of the error. */
  outcome: string | undefined;
}

/** Admission of one operation, without the other steps of the pipeline. @param warn gets its lines of the log. */
export function startAdmission(warn: (fields: object) => void = () => undefined) {
  const log = { warn, error: () => undefined };
  const admission = new Admission({ requestTimeoutMs: TIMEOUT_MS, log, onFull: () => undefined });
  const lifecycle = new ExchangeLifecycle({ requestTimeoutMs: TIMEOUT_MS, admission, log });
  const admit = admission.admit();
  const start = lifecycle.start('arrival');
  const follow = (sent: Sent, wait: () => void | Promise<void>) => {
    const refused = (error: unknown) => {
      sent.outcome = (error as { code: string }).code;
      lifecycle.end(sent.exchange);
    };
    try {
      const pending = wait();
      if (pending === undefined) sent.outcome = 'go';
      else void pending.then(() => (sent.outcome = 'go')).catch(refused);
    } catch (error) {
      refused(error);
    }
  };
  /** Arrives, and is being authenticated unless it has a slot. */
  function arrive(address: string, socket: object = {}): Sent {
    const service = {
      bucketOf: ({ caller = address }: { caller?: string }) => caller,
      endWithError: () => new Promise(() => undefined),
    };
    const request = { socket, httpVersionMajor: 1, headers: {} } as never;
    const response = { destroyed: false, once: () => undefined } as never;
    const found = { operation: undefined, headers: INITIAL_HEADERS, pathParameters: {} };
    const arrival = { service, base: '', path: '/', search: '', found } as unknown as Arrival;
    const exchange = new ExchangeState(request, response, arrival, 'id');
    void start(exchange);
    void admit(exchange);
    return { exchange, state: () => (exchange.slotSince === NO_SLOT ? exchange.phase : 'running'), outcome: undefined };
  }
  /** The look-up of the caller has ended. */
  function authenticate(sent: Sent, caller: string | undefined): Sent {
    Object.assign(sent.exchange, { caller });
    follow(sent, () => lifecycle.acquireSlot(sent.exchange));
    return sent;
  }
  const send = (account: string | undefined, address = `of ${account}`, socket: object = {}) =>
    authenticate(arrive(address, socket), account);
  const sendMany = (count: number, account: string) => Array.from({ length: count }, () => send(account));
  const end = ({ exchange }: Sent) => lifecycle.end(exchange);
  const expire = ({ exchange }: Sent) => void exchange.expire();
  return { admission, lifecycle, arrive, authenticate, follow, send, sendMany, end, expire };
}
