/** The pinned TypeScript compiler within this process, for platforms without a native one. */
import { dirname } from 'node:path';
import ts from '../../libraries/typescript.ts';
import { type Compiler, type DiagnosticLevel, type TypeProblem, summarizeDiagnostic } from './compiler.ts';

/** @param config the absolute path of tsconfig.json. @throws Error if it cannot be read. */
export function startPinned(config: string): Compiler {
  const read = () => {
    const fail = (diagnostic: ts.Diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    };
    const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail });
    if (parsed === undefined) throw new Error(`${config} cannot be read`);
    return parsed;
  };
  let { fileNames, options } = read();
  const versions = new Map<string, number>();
  const service = ts.createLanguageService({
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(versions.get(file) ?? 0),
    getScriptSnapshot(file) {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => dirname(config),
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path, encoding) => ts.sys.readFile(path, encoding),
    readDirectory: (...options) => ts.sys.readDirectory(...options),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  });
  return {
    async update({ changed, created, deleted }) {
      for (const file of [...changed, ...created, ...deleted]) versions.set(file, (versions.get(file) ?? 0) + 1);
      if (created.length + deleted.length > 0) ({ fileNames, options } = read());
      return fileNames;
    },
    async diagnose(file) {
      const syntactic = service.getSyntacticDiagnostics(file);
      const isSyntax = syntactic.length > 0;
      const diagnostics = isSyntax ? syntactic : service.getSemanticDiagnostics(file);
      return diagnostics.map((diagnostic) => ({ file, ...problem(diagnostic), isSyntax }));
    },
    async close() {
      service.dispose();
    },
  };
}

function problem({ file: source, start = 0, messageText }: ts.Diagnostic): Pick<TypeProblem, 'line' | 'column' | 'message'> {
  const { line, character } = source?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 };
  return { line: line + 1, column: character + 1, message: summarizeDiagnostic(levels(messageText, 0)) };
}

function levels(message: string | ts.DiagnosticMessageChain, depth: number): DiagnosticLevel[] {
  if (typeof message === 'string') return [{ text: message, depth }];
  return [{ text: message.messageText, depth }, ...(message.next ?? []).flatMap((cause) => levels(cause, depth + 1))];
}
