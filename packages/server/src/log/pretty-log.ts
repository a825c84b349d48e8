/** The log for people: one line for each request, in colours, by pino-pretty, which is loaded if it is installed and this is wanted. */
import { createRequire } from 'node:module';
import { jsonOf, printable, printableLines } from '@specwright/contract';
import type { WriteStream } from 'node:tty';
import type { prettyFactory, PrettyOptions } from 'pino-pretty';

export type LogFormat = 'json' | 'pretty';

/** Makes a line for people of a line of JSON; both end with a line feed. */
export type FormatLine = (line: string) => string;

/** What the text of a request's line says already, and the id, which is in the response and in the line of an error. */
const IN_REQUEST_LINE = 'requestId,method,path,status,ms';
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a stream shows colours: by `FORCE_COLOR`, `NO_COLOR` and `TERM`, as Node has it. */
export function showsColors(stream: Partial<WriteStream>, { FORCE_COLOR }: NodeJS.ProcessEnv = process.env): boolean {
  if (stream.isTTY) return stream.hasColors?.() ?? false;
  return FORCE_COLOR !== undefined && !['0', 'false'].includes(FORCE_COLOR);
}

/** @returns undefined if pino-pretty is not installed. */
export function loadPrettyFormat(useColors: boolean): FormatLine | undefined {
  const createFormat = loadFactory();
  if (createFormat === undefined) return undefined;
  const options: PrettyOptions = {
    colorize: useColors,
    // The message has the terminal's own colour, whether that is dark or light.
    customColors: 'message:reset,trace:gray,debug:blue,info:green,warn:yellow,error:red,fatal:bgRed',
    useOnlyCustomProps: false,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: (line, messageKey) => textOf(line[messageKey]),
  };
  const format = createFormat(options);
  const formatRequest = createFormat({
    ...options,
    ignore: IN_REQUEST_LINE,
    messageFormat: (line, messageKey, _, { colors }) => {
      const { method, path, ms } = line;
      const status = typeof line['status'] === 'number' ? line['status'] : undefined;
      const outcome = status === undefined ? colors.red(textOf(line[messageKey])) : colors[colorOf(status)](String(status));
      return `${textOf(method)} ${textOf(path)} ${outcome} ${Number(ms).toFixed(1)} ms`;
    },
  });
  return (line) => {
    const parsed = jsonOf(line);
    // pino-pretty returns what is not JSON unchanged.
    if (parsed === undefined) return line;
    const entry = printableEntry(parsed) as Record<string, unknown>;
    if ('method' in entry && 'ms' in entry) return formatRequest(entry);
    const { err, ...rest } = entry;
    // What is expected to fail now and then has a reason, and no stack.
    return format(entry['level'] === 'warn' && hasMessage(err) ? { ...rest, reason: err.message } : entry);
  };
}

/** In a terminal they would be commands, or lines of their own; a client may have chosen them. Only a stack has lines. */
function printableEntry(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return key === 'stack' ? printableLines(value) : printable(value);
  if (Array.isArray(value)) return value.map((item) => printableEntry(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [printable(name), printableEntry(item, name)]));
}

const colorOf = (status: number) => (status >= 500 ? 'red' : status >= 400 ? 'yellow' : status >= 300 ? 'cyan' : 'green');

const hasMessage = (value: unknown): value is { message: string } => typeof (value as { message?: unknown } | null)?.message === 'string';

function loadFactory(): typeof prettyFactory | undefined {
  try {
    return (createRequire(import.meta.url)('pino-pretty') as { prettyFactory: typeof prettyFactory }).prettyFactory;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
