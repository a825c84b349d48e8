/** The native TypeScript compiler as a long-running process that keeps what it has parsed, and checks file by file. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Diagnostic, Program, Snapshot } from 'typescript-native/unstable/async';
import type { Compiler, TypeProblem } from './compiler.ts';
import { startApi } from './native-process.ts';
import { summarizeDiagnostic, type DiagnosticLevel } from './summarize-diagnostic.ts';

/** @param config the absolute path of tsconfig.json. @throws Error if the compiler cannot be run here. */
export async function startNative(config: string): Promise<Compiler> {
  const api = await startApi(dirname(config));
  let snapshot = await api.updateSnapshot({ openProjects: [config] });
  let project = projectOf(snapshot, config);
  return {
    async update({ changed, created, deleted }) {
      const next = await api.updateSnapshot({ fileChanges: { changed: [...changed], created: [...created], deleted: [...deleted] } });
      await snapshot.dispose();
      snapshot = next;
      project = projectOf(snapshot, config);
      return project.rootFiles;
    },
    diagnose: (file) => diagnose(project.program, file),
    close: () => api.close(),
  };
}

function projectOf(snapshot: Snapshot, config: string) {
  const project = snapshot.getProject(config);
  if (project === undefined) throw new Error(`${config} is not a project`);
  return project;
}

async function diagnose(program: Program, file: string): Promise<TypeProblem[]> {
  const [syntactic, semantic] = await Promise.all([program.getSyntacticDiagnostics(file), program.getSemanticDiagnostics(file)]);
  const diagnostics = syntactic.length > 0 ? syntactic : semantic;
  if (diagnostics.length === 0) return [];
  const text = readFileSync(file, 'utf8');
  return diagnostics.map((diagnostic) => ({
    file,
    ...position(text, diagnostic.pos),
    message: summarizeDiagnostic(levels(diagnostic, 0)),
    isSyntax: syntactic.length > 0,
  }));
}

function levels({ text, messageChain = [] }: Diagnostic, depth: number): DiagnosticLevel[] {
  return [{ text, depth }, ...messageChain.flatMap((cause) => levels(cause, depth + 1))];
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
