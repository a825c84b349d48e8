/** The formats of strings and numbers that are validated. */
import { createRequire } from 'node:module';
import type { CodeKeywordDefinition, Format } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { isDate, isDateTime, isTime } from '../json/date-formats.ts';
import { ajvModule } from './compiler-keywords.ts';
import { isUrl } from './url-format.ts';

/** What a format says about numbers. */
interface NumberFormat {
  readonly isInteger: boolean;
  readonly minimum: number;
  readonly maximum: number;
}

const MAX_FLOAT = 3.4028234663852886e38;

/** Formats of numbers (OpenAPI 3.0.3, section 4.4), which the compiled code of a schema compares itself. */
const NUMBER_FORMATS: Readonly<Record<string, NumberFormat>> = {
  int32: { isInteger: true, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  // The greatest number below 2 ** 63.
  int64: { isInteger: true, minimum: -(2 ** 63), maximum: 2 ** 63 - 1024 },
  float: { isInteger: false, minimum: -MAX_FLOAT, maximum: MAX_FLOAT },
  double: { isInteger: false, minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
};

const ofNumbers = ({ isInteger, minimum, maximum }: NumberFormat): Format => ({
  type: 'number',
  validate: (value: number) => (!isInteger || Number.isInteger(value)) && value >= minimum && value <= maximum,
});

/** Formats of OpenAPI 3.0.3, section 4.4, that ajv-formats lacks or validates too loosely, and those that take more than linear time there. */
export const FORMATS: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(Object.entries(NUMBER_FORMATS).map(([name, format]) => [name, ofNumbers(format)])),
  date: { type: 'string', validate: isDate },
  time: { type: 'string', validate: isTime },
  'date-time': { type: 'string', validate: isDateTime },
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  url: { type: 'string', validate: isUrl },
  // A decimal number of any precision, without an exponent (OpenAPI Format Registry); where it is a string, every digit is kept.
  decimal: /^[+-]?\d+(?:\.\d+)?$/,
  // Hints without constraints.
  binary: true,
  password: true,
};

// Used in the mode `full`; the default mode validates less.
export const AJV_FORMATS = [
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const;

export const KNOWN_FORMATS: readonly string[] = [...Object.keys(FORMATS), ...AJV_FORMATS];

/** Whether values of this format are validated. Any other is a hint (OpenAPI 3.0.3, section 4.4). */
export function isKnownFormat(format: string): boolean {
  return KNOWN_FORMATS.includes(format);
}

/** Whether a format refuses values: one that is known, and no hint. */
export const isConstrainingFormat = (format: string): boolean => isKnownFormat(format) && FORMATS[format] !== true;

/** Adds the formats of ajv-formats to a compiler, and the keyword. */
export function addFormats(ajv: Ajv2020): void {
  const { default: add } = createRequire(import.meta.url)('ajv-formats') as { default: FormatsPlugin };
  add(ajv, { mode: 'full', formats: [...AJV_FORMATS] });
  const keyword = formatKeyword(ajv.getKeyword('format') as CodeKeywordDefinition);
  ajv.removeKeyword('format').addKeyword(keyword);
}

/** The keyword `format`, with comparisons in the place of a call where the format is one of numbers. @param given that of Ajv. */
function formatKeyword(given: CodeKeywordDefinition): CodeKeywordDefinition {
  const { _ } = ajvModule();
  return {
    ...given,
    code: (cxt, ruleType) => {
      const format = NUMBER_FORMATS[cxt.schema as string];
      if (format === undefined) return given.code(cxt, ruleType);
      if (ruleType !== 'number') return;
      const { data } = cxt;
      const { isInteger, minimum, maximum } = format;
      const isWithin = _`${data} >= ${minimum} && ${data} <= ${maximum}`;
      cxt.pass(isInteger ? _`Number.isInteger(${data}) && ${isWithin}` : isWithin);
    },
  };
}
