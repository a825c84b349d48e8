/** Sends the webhooks and callbacks of a contract: a function for each, whose body is validated before it is queued. */
import type { Database } from '@specwright/postgres';
import type { Contract, GeneratedOutgoing } from '@specwright/server';
import { createDeliveryId, queueDelivery } from './deliveries.ts';

/** Where a callback goes, and what it is signed with. One URL of an account waits for the others of that account. */
export interface CallbackAddress {
  readonly accountId: number;
  readonly url: string;
  /** `whsec_...`; without it a delivery has no signature. */
  readonly secret?: string | undefined;
}

export interface SendOptions {
  /** `webhook-id`: by default a new one. One that the account has used already is not sent again. */
  readonly id?: string | undefined;
}

export interface Sent {
  readonly id: string;
}

type Arguments<Body> = undefined extends Body ? [body?: Body, options?: SendOptions] : [body: Body, options?: SendOptions];

type SendOne<T> = T extends { readonly kind: infer Kind; readonly body: infer Body }
  ? (subscriber: CallbackAddress | (Kind extends 'webhook' ? number : never), ...rest: Arguments<Body>) => Promise<Sent>
  : never;

/**
 * A function for each webhook and callback. A webhook goes to the webhook of an account, or to an address; a callback to an address.
 *
 * Each throws a `PayloadError` for a body that breaks the contract, and queues nothing.
 */
export type Send<T> = { readonly [Name in keyof T]: SendOne<T[Name]> };

export interface SendContext {
  readonly now?: Date | undefined;
  readonly traceparent?: string | undefined;
}

/**
 * What a transaction sends: `await sender(trx, context).orderCompleted(accountId, body)`.
 *
 * @param db a transaction, whose commit queues the deliveries; or a pool, where each is queued by itself.
 */
export type Sender<T> = (db: Database, context?: SendContext) => Send<T>;

/** A body that breaks the contract: a defect of the service, which answers 500. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  /** What is wrong, each with its location: `body/data/id is required`. */
  readonly problems: readonly string[];

  constructor(name: string, problems: readonly string[]) {
    super(`the body of ${name} breaks the contract, and is not sent: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/**
 * Makes the functions that send what a contract declares.
 *
 * @param outgoing of `generated/outgoing.ts`. @throws Error if that is of another document.
 */
export function createSender<T>(contract: Pick<Contract, 'outgoing'>, outgoing: GeneratedOutgoing<T>): Sender<T> {
  const declared = Object.keys(outgoing.table).map((name) => {
    const found = contract.outgoing.get(name);
    if (found === undefined) throw new Error(`the contract does not declare ${name}, which is in outgoing.ts: run \`npm run generate\``);
    return found;
  });
  return (db, { now = new Date(), traceparent } = {}) => {
    const send = async (
      { name, validate }: (typeof declared)[number],
      subscriber: number | CallbackAddress,
      body: unknown,
      { id = createDeliveryId(now) }: SendOptions = {},
    ): Promise<Sent> => {
      const { text, problems } = validate(body);
      if (problems.length > 0) throw new PayloadError(name, problems);
      const address = typeof subscriber === 'number' ? { accountId: subscriber } : subscriber;
      await queueDelivery(db, { ...address, id, name, body: text, traceparent });
      return { id };
    };
    return Object.fromEntries(
      declared.map((one) => [one.name, (subscriber: number, body: unknown, options?: SendOptions) => send(one, subscriber, body, options)]),
    ) as unknown as Send<T>;
  };
}
