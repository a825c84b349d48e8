/** The ranges of bytes that a request asks for (RFC 9110, section 14.1). */
import type { ByteRange } from '@specwright/contract';

/**
 * Reads `Range`. A suffix that is longer than the content is all of it, and a last position beyond its end is the end (section 14.1.2).
 *
 * @param length of the content, in bytes. @returns the ranges that there are; `undefined` for a field to ignore: of another unit, malformed,
 *   or with a range whose end is before its start (section 14.1.1).
 */
export function parseByteRanges(header: string, length: number): ByteRange[] | undefined {
  const unit = /^bytes=/i.exec(header);
  if (unit === null) return undefined;
  // A list may have empty elements (section 5.6.1).
  const specs = header.slice(unit[0].length).split(',').map((spec) => spec.trim()).filter((spec) => spec !== ''); // prettier-ignore
  const ranges = specs.map((spec) => parseRange(spec, length));
  if (ranges.length === 0 || ranges.includes('invalid')) return undefined;
  return ranges.filter((range) => typeof range === 'object');
}

function parseRange(spec: string, length: number): ByteRange | 'invalid' | 'unsatisfiable' {
  const found = /^(\d*)-(\d*)$/.exec(spec);
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return 'invalid';
  if (first === '') {
    const suffix = Math.min(Number(last), length);
    return suffix === 0 ? 'unsatisfiable' : { start: length - suffix, end: length - 1 };
  }
  const start = Number(first);
  if (last !== '' && isBefore(last, first)) return 'invalid';
  return start >= length ? 'unsatisfiable' : { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}

/** Compares texts of digits, which may be too long for a number. */
const isBefore = (one: string, other: string): boolean => BigInt(one) < BigInt(other);
