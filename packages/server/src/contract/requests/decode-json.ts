/** Decodes JSON that is the text of a parameter or of a field of a form. */
import { restoreIntegers, isBigIntegerAt } from './big-integer-values.ts';
import type { ReportProblem, ValueShape } from './typed-values.ts';

/** @returns the text, if it is not JSON. */
export function decodeJson(text: string, shape: ValueShape, report: ReportProblem): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    report('must be JSON', '');
    return text;
  }
  const restored = restoreIntegers(text, value, (path) => isBigIntegerAt(shape, path));
  if (restored.altered !== undefined) report(restored.altered.message, ['', ...restored.altered.path].join('/'));
  return restored.value;
}
