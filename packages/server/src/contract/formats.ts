/** The formats of strings and numbers that are validated. */
import type { Format } from 'ajv';

const INT64 = 2 ** 63;

/** Formats of OpenAPI 3.0.3, section 4.4, that ajv-formats lacks or validates too loosely. */
export const FORMATS: Readonly<Record<string, Format>> = {
  int32: { type: 'number', validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: 'number', validate: (value: number) => Number.isInteger(value) && value >= -INT64 && value < INT64 },
  float: { type: 'number', validate: (value: number) => Number.isFinite(value) && Math.abs(value) <= 3.4028234663852886e38 },
  double: { type: 'number', validate: (value: number) => Number.isFinite(value) },
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  // Hints without constraints.
  binary: true,
  password: true,
};

// Used in the mode `full`, which refuses February 30; the default mode validates only the syntax.
export const AJV_FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const;

/** Whether values of this format are validated. Any other is a hint (OpenAPI 3.0.3, section 4.4). */
export function isKnownFormat(format: string): boolean {
  return format in FORMATS || (AJV_FORMATS as readonly string[]).includes(format);
}
