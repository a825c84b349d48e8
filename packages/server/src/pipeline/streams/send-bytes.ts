/** Sends a stream of bytes: as fast as the client reads, and never less than was said without a sign of it. */
import { pipeline } from 'node:stream';
import type { ByteStream } from '@specwright/contract';
import type { Exchange } from '../exchange.ts';
import { closeUnopened, ExactLength, toReadable, waitUntilReadable } from './byte-source.ts';

/**
 * Waits for the first bytes, so that what cannot be opened is an error of the contract. After them an error cuts the connection off, and is
 * logged: a response that has begun cannot say that it failed.
 *
 * @param begin writes the head.
 */
export async function sendBytes(exchange: Exchange, { stream, length }: ByteStream, begin: () => void): Promise<void> {
  const { response } = exchange;
  if (exchange.request.method === 'HEAD') {
    closeUnopened(stream);
    begin();
    return void response.end();
  }
  const source = toReadable(typeof stream === 'function' ? await stream() : stream);
  const close = () => source.destroy();
  response.once('close', close);
  await waitUntilReadable(source);
  response.off('close', close);
  if (exchange.isExpired || response.destroyed) return void source.destroy();
  begin();
  const end = (error?: NodeJS.ErrnoException | null) => {
    // That the client went away is in the log line of the request.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      exchange.log.error({ operation: exchange.operation?.id, err: error }, 'the download was cut off');
  };
  if (length === undefined) pipeline(source, response, end);
  else pipeline(source, new ExactLength(length), response, end);
}
