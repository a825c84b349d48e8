/** Ids of requests: random UUIDs (RFC 9562, section 5.4), many at a time. */
import { randomFillSync } from 'node:crypto';

/** Of one id. */
export const ID_LENGTH = 36;
const COUNT = 256;
const HEX = Buffer.from('0123456789abcdef');
const HYPHEN = 45;

const random = Buffer.alloc(COUNT * 16);
const text = Buffer.alloc(COUNT * ID_LENGTH);

/**
 * One after the other, in one text: `crypto.randomUUID` puts each together from twenty texts, which V8 has to copy when the id is checked
 * and sent.
 */
export function randomIds(): string {
  randomFillSync(random);
  let end = 0;
  for (let i = 0; i < random.length; i++) {
    const byte = random[i] as number;
    const position = i % 16;
    // The version and the variant.
    const value = position === 6 ? (byte & 0x0f) | 0x40 : position === 8 ? (byte & 0x3f) | 0x80 : byte;
    if (position === 4 || position === 6 || position === 8 || position === 10) text[end++] = HYPHEN;
    text[end++] = HEX[value >> 4] as number;
    text[end++] = HEX[value & 0x0f] as number;
  }
  return text.toString('latin1');
}
