/** A mock of a document, for tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestLog, listenOnFreePort, type ListeningServer, type LogLine } from 'specwright/testing';
import { createMockServer, type MockServer } from '../../../src/mock/mock-server.ts';
import type { MockOptions } from '../../../src/mock/create-mock.ts';

export type ServedMock = ListeningServer & Pick<MockServer, 'mock' | 'contract'> & { readonly log: LogLine[] };

/** @param text of a document. */
export async function serveMock(text: string, options: MockOptions = {}): Promise<ServedMock> {
  const folder = mkdtempSync(join(tmpdir(), 'mock-'));
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, text);
  const log: LogLine[] = [];
  try {
    const { server, ...rest } = await createMockServer(file, { ...options, log: createTestLog(log) });
    return { ...(await listenOnFreePort(server)), ...rest, log };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What JSON it is; `undefined` for anything else. */
  readonly body: unknown;
}

/** Sends JSON, and reads it. */
export async function call(url: string, method = 'GET', body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { ...type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
