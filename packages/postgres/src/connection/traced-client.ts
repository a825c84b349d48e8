/** A connection whose statements are spans of OpenTelemetry, by the semantic conventions of databases, if an SDK is registered. */
import type * as Api from '@opentelemetry/api';
import type { Attributes, Span } from '@opentelemetry/api';
import { isTelemetryRegistered, requireLibrary } from '@specwright/contract/runtime';
import type pg from 'pg';
import { BoundedClient } from './bounded-client.ts';
import type { Done, Statement } from './statement.ts';

/** The class of the connections of a pool that is being made: without an SDK, one that knows nothing of spans. */
export function clientClass(): typeof BoundedClient {
  if (!isTelemetryRegistered()) return BoundedClient;
  return tracedClient(requireLibrary('@opentelemetry/api', new URL('../libraries/', import.meta.url)) as typeof Api);
}

/** What is asked while no request or delivery is being traced is in no span: cleaning, polling, LISTEN. */
function tracedClient(api: typeof Api): typeof BoundedClient {
  const tracer = api.trace.getTracer('@specwright/postgres');
  function end(span: Span, error: Error | null): void {
    if (error !== null) {
      const { code, name } = error as { code?: string; name?: string };
      if (code !== undefined) span.setAttribute('db.response.status_code', code);
      span.setAttribute('error.type', code ?? name ?? '_OTHER').setStatus({ code: api.SpanStatusCode.ERROR });
    }
    span.end();
  }

  return class TracedClient extends BoundedClient {
    override send(statement: Statement, done: Done, begin?: string): boolean {
      if (api.trace.getActiveSpan()?.isRecording() !== true) return super.send(statement, done, begin);
      const { name, attributes } = describe(statement.text, this as unknown as pg.Client);
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes });
      const traced: Done = (error, result) => {
        end(span, error);
        done(error, result);
      };
      return super.send(statement, traced, begin);
    }
  };
}

/** Parameters are never a part of it, and neither is the text: in some statements values are written out. */
function describe(text: string, { database, host, port }: pg.Client): { name: string; attributes: Attributes } {
  const { operation, table } = summarizeStatement(text);
  const name = table === undefined ? operation : `${operation} ${table}`;
  return {
    name,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': name,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
      ...(database === undefined ? {} : { 'db.namespace': database }),
      'server.address': host,
      'server.port': port,
    },
  };
}

/** What a statement does, in few words: its operation and its table, never a value. For the names of spans. */
interface StatementSummary {
  /** `SELECT`, `INSERT`, `BEGIN`, ... */
  readonly operation: string;
  readonly table?: string;
}

const OPERATION = /^[\s(]*([a-z]+)/i;
const IN_CTE = /\b(insert|update|delete)\b(?!\s+(?:set|of|skip|nowait))/i;
const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`;
// After `from` a name with a bracket behind it is a function's: extract(epoch from now()).
const TABLE = new RegExp(
  String.raw`\b(from|join)\s+(?:only\s+)?${NAME}(?![\w".]*\s*\()|(?:\binto|^[\s(]*update|\(\s*update)\s+(?:only\s+)?${NAME}`,
  'gi',
);
const LITERAL = /'(?:[^']|'')*'/g;
const SUBQUERY = /^\s*(?:select|with|delete|\()/i;
/** Services have some hundred statements; texts that are made at run time must not be kept without end. */
const MAX_CACHED = 1000;

const cache = new Map<string, StatementSummary>();

/** @param text of the statement, with placeholders for its values. */
export function summarizeStatement(text: string): StatementSummary {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const first = OPERATION.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const operation = first === 'WITH' ? (IN_CTE.exec(text)?.[1]?.toUpperCase() ?? 'SELECT') : first;
  const table = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].includes(operation) ? findTable(text.replaceAll(LITERAL, "''")) : undefined;
  const summary = { operation, ...(table === undefined ? {} : { table }) };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, summary);
  return summary;
}

function findTable(text: string): string | undefined {
  for (const { 1: keyword, 2: read, 3: written, index } of text.matchAll(TABLE)) {
    if (keyword?.toLowerCase() === 'from' && !isFromClause(text.slice(0, index))) continue;
    return (read ?? written)?.replaceAll('"', '');
  }
  return undefined;
}

/** Whether a `from` is a query's: not that of extract(epoch from x), substring(x from 2) or `is distinct from x`. @param before it. */
function isFromClause(before: string): boolean {
  if (/\bdistinct\s+$/i.test(before)) return false;
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    if (before[i] === ')') depth++;
    else if (before[i] === '(' && depth-- === 0) return SUBQUERY.test(before.slice(i + 1));
  }
  return true;
}
