/** Decodes JSON that is the text of a parameter or of a field of a form. */
import { findAlteredNumbers } from './altered-numbers.ts';
import type { ReportProblem } from './typed-values.ts';

/** @returns the text, if it is not JSON. */
export function decodeJson(text: string, report: ReportProblem): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    report('must be JSON', '');
    return text;
  }
  for (const { path, message } of findAlteredNumbers(text)) {
    report(message, ['', ...path()].join('/'));
    break;
  }
  return value;
}
