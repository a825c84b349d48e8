/** The slow checks of a spec, as a process: whether its schemas compile, then lint. */
import { readFileSync } from 'node:fs';
import { formatFatalError, inBackground } from '@specwright/server';
import { ContractError, formatProblem, readDocument, assertSchemasCompile } from '@specwright/contract/document';
import { lintSpec } from '../../lint/lint-spec.ts';
import { readProject } from '../../project-config.ts';
import { selectContract } from '../../select-contracts.ts';
import { formatLintLine } from '../../lint/lint-problem.ts';

export interface SpecRequest {
  readonly id: number;
  readonly file: string;
  /** Its name, of one of several contracts. */
  readonly contract: string | undefined;
}

/** Two responses to each request, in this order, unless a later request for the file has made it obsolete. */
export interface SpecResponse extends Pick<SpecRequest, 'id' | 'file'> {
  readonly check: 'compile' | 'lint';
  /** `file:line:column message`, and of lint what to do on a second line. */
  readonly lines: readonly string[];
}

async function compile({ file }: SpecRequest): Promise<string[]> {
  try {
    assertSchemasCompile(readDocument(file));
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map((problem) => formatProblem(file, problem));
  }
}

async function lint({ file, contract }: SpecRequest): Promise<string[]> {
  const project = selectContract(readProject(), { spec: file, contract });
  const problems = await lintSpec(file, readFileSync(file, 'utf8'), { project });
  return problems.map((problem) => formatLintLine(file, problem));
}

const CHECKS = { compile, lint } as const;

/** The latest request for each file that was not checked yet. A server waits for what is compiled: that comes first, of every file. */
const pending = { compile: new Map<string, SpecRequest>(), lint: new Map<string, SpecRequest>() } as const;
let working = false;

async function work(): Promise<void> {
  for (;;) {
    const check = pending.compile.size > 0 ? 'compile' : 'lint';
    const [request] = pending[check].values();
    if (request === undefined) return;
    const { id, file } = request;
    pending[check].delete(file);
    const lines = await CHECKS[check](request).catch((error: unknown) => [`${file}: ${formatFatalError(error)}`]);
    process.send?.({ id, file, check, lines } satisfies SpecResponse);
  }
}

process.on('message', (request: SpecRequest) => {
  for (const requests of Object.values(pending)) requests.set(request.file, request);
  if (working) return;
  working = true;
  inBackground(
    work().finally(() => {
      working = false;
    }),
  );
});
