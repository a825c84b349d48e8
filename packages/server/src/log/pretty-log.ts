/** The log for people: one line for each request, in colours, by pino-pretty, which is loaded if it is installed and this is wanted. */
import { createRequire } from 'node:module';
import { jsonOf } from '@specwright/contract';
import type { WriteStream } from 'node:tty';
import type { prettyFactory, PrettyOptions } from 'pino-pretty';

export type LogFormat = 'json' | 'pretty';

/** Makes a line for people of a line of JSON; both end with a line feed. */
export type FormatLine = (line: string) => string;

/** What the text of a request's line says already, and the id, which is in the response and in the line of an error. */
const IN_REQUEST_LINE = 'requestId,method,path,status,ms';
/** In a terminal they would be commands; a client may have chosen them. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const printable = (value: unknown): string => (typeof value === 'string' ? value.replace(CONTROL_CHARACTERS, '') : '');

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
    messageFormat: (line, messageKey) => printable(line[messageKey]),
  };
  const format = createFormat(options);
  const formatRequest = createFormat({
    ...options,
    ignore: IN_REQUEST_LINE,
    messageFormat: (line, messageKey, _, { colors }) => {
      const { method, path, ms } = line;
      const status = typeof line['status'] === 'number' ? line['status'] : undefined;
      const outcome = status === undefined ? colors.red(printable(line[messageKey])) : colors[colorOf(status)](String(status));
      return `${printable(method)} ${printable(path)} ${outcome} ${Number(ms).toFixed(1)} ms`;
    },
  });
  return (line) => {
    const entry = jsonOf(line) as Record<string, unknown> | undefined;
    // pino-pretty returns what is not JSON unchanged.
    if (entry === undefined) return line;
    if ('method' in entry && 'ms' in entry) return formatRequest(entry);
    const { err, ...rest } = entry;
    // What is expected to fail now and then has a reason, and no stack.
    return format(entry['level'] === 'warn' && hasMessage(err) ? { ...rest, reason: err.message } : entry);
  };
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
