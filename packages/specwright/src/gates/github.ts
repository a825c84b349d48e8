/** Workflow commands, by which GitHub Actions shows a problem at its line. */
import type { Located } from './locations.ts';

/** GitHub shows 10 of each level for a step: the rest is in the summary and in the logs. https://docs.github.com/en/rest/checks */
export const MAX_ANNOTATIONS = 10;

const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/**
 * `::error file=src/main.ts,line=3::message`
 *
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
 */
export function formatAnnotation(level: 'error' | 'warning', title: string, problem: { message: string } & Partial<Located>): string {
  const { file, line, column, message } = problem;
  const properties = Object.entries({ file, line, col: column, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}
