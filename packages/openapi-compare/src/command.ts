/** The command `openapi-compare OLD NEW`: its arguments, its report in each format, and its exit code. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ContractError, displayFile, printable, printableCommands, printableLines } from '@specwright/contract/document';
import { didYouMean } from '@specwright/contract/nearest-name';
import { unrecorded } from './breaking/report.ts';
import { compareFiles, type FileComparison } from './compare-files.ts';
import { OUTPUT_FORMATS } from './output-formats.ts';

const HELP = `usage: openapi-compare OLD NEW [--fail-on breaking|any] [--format FORMAT]
  [--records FILE] [--allow-outside]

Compares two OpenAPI documents (3.0 to 3.2, YAML or JSON) as a client sees them:
what breaks clients, with both locations, the impact and what to do instead,
then the other changes. OLD is a file, or a file of a commit: main:openapi.yaml,
or main:./openapi.yaml from the current folder.

options:
  --fail-on breaking  exit code 1 if a change breaks clients and has no record
  --fail-on any       exit code 1 if clients can notice any change
  --format FORMAT     text (default), json, markdown; of breaking changes alone:
                      sarif (2.1.0), github (annotations of a workflow)
  --records FILE      a list (YAML) of breaking changes that are intended, each
                      with its reason
  --allow-outside     $refs of NEW may lead to files outside of its project
  --help, --version   shows this, or the version

exit codes:
  0  compared
  1  compared, and --fail-on found a change
  2  not compared: the arguments cannot be used, NEW alone is not valid, or a
     document cannot be read

examples:
  openapi-compare old.yaml new.yaml
  openapi-compare origin/main:openapi.yaml openapi.yaml --fail-on breaking
  openapi-compare old.yaml new.yaml --format sarif > breaking.sarif`;

const OPTIONS = {
  'fail-on': { type: 'string' },
  format: { type: 'string' },
  records: { type: 'string' },
  'allow-outside': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse>['values'];
type FailOn = 'breaking' | 'any';

/** The arguments cannot be used. */
class UsageError extends Error {}

/** The standard streams of a process, or what a test reads. Each call is one or more whole lines, without the end of the last one. */
export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** @param args without Node and the program. @returns the exit code: 0, 1 if `--fail-on` found a change, 2 if nothing was compared. */
export async function runCommand(args: readonly string[], { print, printError }: Output): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    if (values.help === true || values.version === true) {
      print(values.help === true ? HELP : version());
      return 0;
    }
    return await compare(values, positionals, print);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const usage = error instanceof UsageError ? '\nRun openapi-compare --help for its arguments.' : '';
    printError(printableLines(`openapi-compare: ${error instanceof ContractError ? message : printable(message)}${usage}`));
    return 2;
  }
}

async function compare(values: Values, [base, working, ...more]: readonly string[], print: Output['print']): Promise<number> {
  if (base === undefined || working === undefined) throw new UsageError('two documents are compared: OLD NEW');
  if (more.length > 0) throw new UsageError(`unexpected argument ${more.join(' ')}`);
  const failOn = choice('fail-on', values['fail-on'], ['breaking', 'any'] as const);
  const format = choice('format', values.format, Object.keys(OUTPUT_FORMATS)) ?? 'text';
  const { records } = values;
  const comparison = await compareFiles(base, working, { records, allowOutside: values['allow-outside'] });
  const baseName = printable(displayFile(base));
  const text = OUTPUT_FORMATS[format]?.(comparison, { spec: printable(displayFile(working)), baseFile: baseName, baseName, records }) ?? '';
  // Annotations are commands of CI; no line of another format is one.
  print(format === 'github' ? printableCommands(text) : printableLines(text));
  return isFailure(failOn, comparison) ? 1 : 0;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']+)'/.exec(message)?.[1] : undefined;
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new UsageError(unknown === undefined ? (message.split('\n')[0] ?? '') : `unknown option ${unknown}${didYouMean(unknown, names)}`);
  }
}

function choice<const Value extends string>(name: string, value: string | undefined, allowed: readonly Value[]): Value | undefined {
  if (value === undefined || allowed.includes(value as Value)) return value as Value | undefined;
  throw new UsageError(`--${name} ${value}: must be ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1) ?? ''}`);
}

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

const isFailure = (failOn: FailOn | undefined, { breaking, changes }: FileComparison): boolean =>
  (failOn !== undefined && unrecorded(breaking.changes).length > 0) || (failOn === 'any' && changes.length + breaking.changes.length > 0);
