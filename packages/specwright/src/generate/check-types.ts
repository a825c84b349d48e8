/** Reports the type errors of a project, with the TypeScript that is a part of this tool: the project need not install one. */
import { join } from 'node:path';
import { plural, print, printText } from '@specwright/server/command';
import ts from '../libraries/typescript.ts';

/**
 * As `tsc --noEmit` does.
 *
 * @param root the folder of tsconfig.json. @throws Error if there are type errors, which are printed, or if the configuration cannot be read.
 */
export function checkTypes(root: string): void {
  const host = { getCurrentDirectory: () => root, getCanonicalFileName: (name: string) => name, getNewLine: () => '\n' };
  const onUnRecoverableConfigFileDiagnostic = (diagnostic: ts.Diagnostic) => {
    throw new Error(ts.formatDiagnostic(diagnostic, host).trim());
  };
  const config = { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), { noEmit: true }, config);
  if (parsed === undefined) throw new Error(`${join(root, 'tsconfig.json')} cannot be read`);
  const { fileNames, options, errors } = parsed;
  const program = ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length === 0) return print(`no type errors in ${plural(fileNames.length, 'file')}`);
  printText(ts.formatDiagnostics(diagnostics, host));
  throw new Error(plural(diagnostics.length, 'type error'));
}
