/** The log: JSON lines on standard output. Keys and passwords never reach it. */
import { pino, type Logger } from 'pino';

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  });
}

/** Name, message, stack and the chain of causes. Other properties stay out: a database error carries the values of the statement. */
function serializeError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const { code } = value as { code?: unknown };
  return {
    name,
    ...(typeof code === 'string' ? { code } : {}),
    message,
    stack,
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  };
}
