/** Decodes JSON that is the text of a parameter, of a field of a form or of a part. */
import { isBigIntegerAt } from './big-integer-values.ts';
import { parseStrictJson } from './strict-json.ts';
import type { ReportProblem, ValueShape } from './typed-values.ts';

/** @returns the text, if it is not JSON. */
export function decodeJson(text: string, shape: ValueShape, report: ReportProblem): unknown {
  const json = parseStrictJson(text, (path) => isBigIntegerAt(shape, path));
  switch (json.problem) {
    case undefined:
      break;
    case 'syntax':
      report('must be JSON', '');
      return text;
    case 'surrogate':
      report('has an unpaired surrogate', '');
      break;
    case 'duplicate':
      report('is given twice', ['', ...json.path].join('/'));
      break;
    case 'number':
      report(json.message, ['', ...json.path].join('/'));
  }
  return json.value;
}
