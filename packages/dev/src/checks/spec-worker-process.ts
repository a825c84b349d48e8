/** The slow checks of a spec, as a process: whether its schemas compile, then lint. */
import { readFileSync } from 'node:fs';
import { formatFatalError } from '@specwright/server';
import { ContractError, formatProblem, readDocument, assertSchemasCompile } from '@specwright/server/document';
import { lintSpec } from '@specwright/check';
import { formatLintLine } from './lint-line.ts';

export interface SpecRequest {
  readonly id: number;
  readonly file: string;
}

/** Two responses to each request, in this order. */
export interface SpecResponse {
  readonly id: number;
  readonly check: 'compile' | 'lint';
  /** `file:line:column message`, and of lint what to do on a second line. */
  readonly lines: readonly string[];
}

let latest: SpecRequest | undefined;
let working = false;

async function compile(file: string): Promise<string[]> {
  try {
    assertSchemasCompile(readDocument(file));
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map((problem) => formatProblem(file, problem));
  }
}

async function lint(file: string): Promise<string[]> {
  const problems = await lintSpec(file, readFileSync(file, 'utf8'));
  return problems.map((problem) => formatLintLine(file, problem));
}

async function respond(request: SpecRequest): Promise<void> {
  for (const [check, run] of Object.entries({ compile, lint })) {
    // A later save has made this request obsolete.
    if (latest !== request) return;
    const lines = await run(request.file).catch((error: unknown) => [`${request.file}: ${formatFatalError(error)}`]);
    process.send?.({ id: request.id, check, lines });
  }
}

process.on('message', (request: SpecRequest) => {
  latest = request;
  if (working) return;
  working = true;
  void (async () => {
    for (let current: SpecRequest | undefined; current !== latest;) {
      current = latest;
      await respond(current);
    }
    working = false;
  })();
});
