/** Follows the events of an operation, and connects again where they have ended. */
import { readEvents, toItem } from './items.ts';
import { orThrow, ResponseError, UnexpectedResponseError } from './replies.ts';
import { sleep } from './retry.ts';
import type { Send } from './send.ts';
import type { AnyInput, AnyReply, ListenOptions, OperationEntry } from './types.ts';

const RECONNECT_MS = 3000;
/** Servers send a comment every 15 s (WHATWG HTML, section 9.2.7). */
const IDLE_MS = 20_000;

/** @throws ResponseError for a response that is no success, and the reason of `signal`. */
export async function* followEvents(
  send: Send,
  operation: OperationEntry,
  input: AnyInput = {},
  options: ListenOptions = {},
): AsyncGenerator {
  const { onState, idleMs = IDLE_MS, ...call } = options;
  const [type, kind = 'data', place] =
    Object.values(operation.responses)
      .flatMap(({ items = {}, places = {} }) => Object.entries(items).map(([name, one]) => [name, one, places[name]] as const))
      .find(([name]) => name.startsWith('text/event-stream')) ?? [];
  let lastId: string | undefined;
  let delay = RECONNECT_MS;
  for (;;) {
    let cause: unknown;
    try {
      const headers = { ...call.headers, Accept: type ?? 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
      const { response }: AnyReply = await orThrow(send(operation, input, { retry: true, ...call, headers }));
      // Whoever wants no more events says so with this status.
      if (response.status === 204) return;
      onState?.('open');
      for await (const event of readEvents(response, idleMs)) {
        lastId = event.id ?? lastId;
        delay = event.retry ?? delay;
        if (event.data !== '' && (event.event !== 'error' || kind.startsWith('event'))) yield toItem(event, kind, place);
      }
    } catch (error) {
      if (call.signal?.aborted === true || error instanceof ResponseError || error instanceof UnexpectedResponseError) throw error;
      cause = error;
    }
    onState?.('waiting', cause);
    await sleep(delay, call.signal);
  }
}
