/** Commands of GitHub Actions. */
import { printableCommands } from '@specwright/contract/document';

/**
 * A command of GitHub Actions in the output of a job: `::error file=src/main.ts,line=3::message`
 *
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
 */
export function workflowCommand(level: string, properties: Readonly<Record<string, string | number | undefined>>, message: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const given = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  return printableCommands(`::${level} ${given.join(',')}::${escaped(message)}`);
}
