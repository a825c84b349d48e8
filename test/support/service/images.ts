/** Images as they begin, of any size. */
import { Readable } from 'node:stream';

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Bytes that begin as a PNG does, all of them different from those before. @param size at least 8. */
export function pngOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i + 4 <= size; i += 4) bytes.writeUInt32BE(i, i);
  PIXEL.copy(bytes, 0, 0, 8);
  return bytes;
}

/** Comes in parts, as uploads do. @param partSize in bytes. */
export function inParts(bytes: Buffer, partSize = 60_000): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += partSize) yield bytes.subarray(at, at + partSize);
    })(),
  );
}
