/** A connection whose statements are spans of OpenTelemetry, by the semantic conventions of databases, if an SDK is registered. */
import type { Attributes, Span } from '@opentelemetry/api';
import { findTelemetry, type Telemetry } from '@specwright/server';
import type pg from 'pg';
import { BoundedClient } from './bounded-client.ts';
import { summarizeStatement } from './statement-summary.ts';

/** The class of the connections of a pool that is being made: without an SDK, one that knows nothing of spans. */
export function clientClass(): typeof BoundedClient {
  const telemetry = findTelemetry();
  return telemetry === undefined ? BoundedClient : tracedClient(telemetry);
}

type Statement = string | { readonly text?: string; readonly submit?: unknown };
type Done = (error: Error | null | undefined, result?: unknown) => void;

/** What is asked while no request or delivery is being traced is in no span: cleaning, polling, LISTEN. */
function tracedClient({ api, tracer }: Telemetry): typeof BoundedClient {
  function end(span: Span, error?: unknown): void {
    if (error !== undefined && error !== null) {
      const { code, name } = error as { code?: string; name?: string };
      if (code !== undefined) span.setAttribute('db.response.status_code', code);
      span.setAttribute('error.type', code ?? name ?? '_OTHER').setStatus({ code: api.SpanStatusCode.ERROR });
    }
    span.end();
  }

  return class TracedClient extends BoundedClient {
    override query(...args: unknown[]): unknown {
      const statement = args[0] as Statement;
      const done = args.at(-1);
      const text = typeof statement === 'string' ? statement : statement.text;
      // What submits itself without a callback, such as a cursor, ends without notice.
      if (
        api.trace.getActiveSpan()?.isRecording() !== true ||
        text === undefined ||
        (typeof (statement as { submit?: unknown }).submit === 'function' && typeof done !== 'function')
      )
        return super.query(...args);
      const { name, attributes } = describe(text, this as unknown as pg.Client);
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes });
      if (typeof done === 'function') {
        const traced: Done = (error, result) => {
          end(span, error);
          (done as Done)(error, result);
        };
        return super.query(...args.slice(0, -1), traced);
      }
      const result = super.query(...args) as Promise<unknown>;
      result.then(
        () => end(span),
        (error: unknown) => end(span, error),
      );
      return result;
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
