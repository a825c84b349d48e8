/** Requests that were sent, what became of them, and what of them decides. */
import { createdId, toAnswer } from './answers.ts';
import type { HttpAnswer } from './client.ts';
import type { Event } from './linearize.ts';
import type { Built, Draw } from './requests.ts';
import type { ModelRequest, State } from './state.ts';

export interface ClientKey {
  readonly id: number;
  readonly apiKey: string;
}

/** A request that was sent, and what became of it. */
export interface Sent {
  readonly draw: Draw;
  readonly built: Built;
  readonly model: Omit<ModelRequest, 'newId'>;
  readonly mark: string;
  readonly key: ClientKey;
  readonly invoked: number;
  readonly returned: number;
  readonly answer: HttpAnswer | undefined;
}

/** Operations whose requests have no caller. */
export const OPEN: readonly string[] = ['createAccount'];
/** Requests that create nothing with an id in the state. */
const NO_IDS: readonly string[] = ['createAccount', 'replayMessages'];

/** Whether it may have had its effect, or not. */
const isUnsure = ({ answer }: Sent): boolean => answer === undefined || answer.status >= 500;

/** Judges what single answers say, and makes the history of the others. */
export class AnswerCheck {
  /** Keys that were ended, or may have been, since a moment. */
  readonly #ended = new Map<number, { readonly invoked: number; readonly returned: number }>();
  readonly #problem: (text: string) => void;

  constructor(problem: (text: string) => void) {
    this.#problem = problem;
  }

  /** Whether the key has ended, or may have. */
  hasEnded(keyId: number): boolean {
    return this.#ended.has(keyId);
  }

  /** What decides of the answers; those that say that nothing was done are checked, and left out. */
  historyOf(sent: readonly Sent[], before: State, after: State): Event[] {
    for (const one of sent) this.#noteEnd(one);
    const claimed = new Set(sent.flatMap(({ answer }) => (answer === undefined ? [] : [createdId(answer)])));
    return sent.flatMap((one): Event[] => {
      const { model, built, invoked, returned, answer, draw } = one;
      if (answer !== undefined && this.#isUndone(one, answer, sent)) return [];
      // Of a body that was not sent whole nothing is done.
      if (answer === undefined && draw.leave === 1 && built.body !== undefined && model.idempotencyKey === undefined) return [];
      const given = answer === undefined || isUnsure(one) ? undefined : createdId(answer);
      const newId = given ?? findCreated(one, before, after, claimed);
      // What a request has created whose answer was lost would be there.
      if (isUnsure(one) && built.method === 'POST' && newId === undefined && !NO_IDS.includes(model.operation)) return [];
      const event = { request: { ...model, newId: newId ?? 0 }, invoked };
      if (answer === undefined || isUnsure(one)) return [{ ...event, returned: Infinity, answer: undefined }];
      return [{ ...event, returned, answer: toAnswer(model.operation, answer) }];
    });
  }

  #noteEnd(one: Sent): void {
    const { model, invoked, returned, answer } = one;
    const ends = model.operation === 'revokeKey' || (model.operation === 'rotateKey' && model.body['gracePeriod'] === 0);
    const isDone = answer !== undefined && answer.status < 300;
    if (!ends || !(isDone || isUnsure(one)) || this.#ended.has(model.id)) return;
    this.#ended.set(model.id, { invoked, returned: isDone ? returned : Infinity });
  }

  /** Whether the answer says that nothing was done. What must not be answered so is a problem. */
  #isUndone({ model, built, key, invoked, returned }: Sent, answer: HttpAnswer, sent: readonly Sent[]): boolean {
    const { status, headers } = answer;
    const what = `${built.method} ${built.path}`;
    const { code } = toAnswer(model.operation, answer);
    if (status >= 500 && status !== 503) this.#problem(`${what} was answered ${status} ${answer.body.toString()}`);
    if ((status === 503 || status === 429) && headers['retry-after'] === undefined) this.#problem(`${what}: ${status} without Retry-After`);
    const ended = OPEN.includes(model.operation) ? undefined : this.#ended.get(key.id);
    if (status === 401) {
      if (ended === undefined || ended.invoked > returned) this.#problem(`${what} was answered 401 with a key that is valid`);
      return true;
    }
    if (ended !== undefined && ended.returned < invoked && status < 500 && status !== 429)
      this.#problem(`${what} was answered ${status} with key ${key.id}, which had ended`);
    if (code === 'idempotency_key_in_use') {
      const isUsed = sent.some((other) => other.model.idempotencyKey === model.idempotencyKey && other.invoked !== invoked);
      if (!isUsed) this.#problem(`${what} was answered idempotency_key_in_use, and nothing else has sent its key`);
      return true;
    }
    return status === 429;
  }
}

/** The record that a request has created whose answer was lost: by what nothing else has. */
function findCreated(
  { model: { operation, body, id }, mark }: Sent,
  before: State,
  after: State,
  claimed: ReadonlySet<unknown>,
): number | string | undefined {
  const name = `n${mark}`;
  switch (operation) {
    case 'createPet':
      return after.pets.find((pet) => pet.name === name)?.id;
    case 'createCategory':
      return after.categories.find((category) => category.name === name)?.id;
    case 'createOrder':
      return after.orders.find(({ shipDate }) => shipDate === body['shipDate'])?.id;
    case 'createPhoto':
      return after.photos.find(({ caption }) => caption === name)?.id;
    case 'createKey':
      return after.apiKeys.find((key) => key.name === name)?.id;
    case 'sendMessage':
      return Object.keys(after.messages).find((messageId) => after.messages[messageId] === name);
    case 'rotateKey': {
      const rotated = before.apiKeys.find((key) => key.id === id);
      const isNew = (key: { id: number }) => !before.apiKeys.some((old) => old.id === key.id) && !claimed.has(key.id);
      return after.apiKeys.find((key) => key.name === rotated?.name && isNew(key))?.id;
    }
    default:
      return undefined;
  }
}
