/** Requests of the model as they are sent. */
import { PIXEL } from '../support/service/images.ts';
import type { Built } from './requests.ts';

export interface Encoded {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const BOUNDARY = 'model-boundary';
/** So that a photo has several packets. */
const IMAGE = Buffer.concat([PIXEL, Buffer.alloc(20_000, 1)]);

export function encode({ path, query = {}, body, photo = false }: Built): Encoded {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
  const target = parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
  if (photo) {
    const caption = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="caption"\r\n\r\n${String(body?.['caption'])}\r\n`;
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="photo"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
    const parts = [Buffer.from(caption + head), IMAGE, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
    return { path: target, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body: Buffer.concat(parts) };
  }
  if (body === undefined) return { path: target, headers: {}, body: undefined };
  return { path: target, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}
