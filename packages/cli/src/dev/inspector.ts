/** The slow half of what is said of a spec, in a process of its own: whether it compiles, then what the linters find. */
import { readFileSync } from 'node:fs';
import { ContractError, formatProblem, readDocument, assertSchemasCompile, formatFatalError } from '@specwright/server';
import { lintSpec } from '../lint-spec.ts';

export interface Question {
  readonly id: number;
  readonly file: string;
}

/** Two answers to each question, in this order. */
export interface Answer {
  readonly id: number;
  readonly about: 'compile' | 'lint';
  /** `file:line:column message` */
  readonly lines: readonly string[];
}

let latest: Question | undefined;
let working = false;

async function compile(file: string): Promise<string[]> {
  try {
    await assertSchemasCompile(readDocument(file));
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map((problem) => formatProblem(file, problem));
  }
}

async function lint(file: string): Promise<string[]> {
  const findings = await lintSpec(file, readFileSync(file, 'utf8'));
  return findings.map(({ line, column, message, rule }) => `${file}:${line}:${column} ${message} (${rule})`);
}

async function answer(question: Question): Promise<void> {
  for (const [about, ask] of Object.entries({ compile, lint })) {
    // Somebody saved again: what was asked before is of no use.
    if (latest !== question) return;
    const lines = await ask(question.file).catch((error: unknown) => [`${question.file}: ${formatFatalError(error)}`]);
    process.send?.({ id: question.id, about, lines });
  }
}

process.on('message', (question: Question) => {
  latest = question;
  if (working) return;
  working = true;
  void (async () => {
    for (let current: Question | undefined; current !== latest;) {
      current = latest;
      await answer(current);
    }
    working = false;
  })();
});
