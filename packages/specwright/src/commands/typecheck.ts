/** `specwright typecheck` */
import { resolve } from 'node:path';
import { defineCommand, plural, print, printText } from '@specwright/server/command';

export const command = defineCommand({
  description:
    'Reports the type errors of what a tsconfig.json includes, and writes nothing. It is `tsc --noEmit` with the TypeScript 5.9\nthat is a part of this tool, for a project that does not install a compiler: JavaScript too, with `checkJs`.',
  options: { project: { type: 'string', value: 'FILE', description: 'default: tsconfig.json' } },
  examples: ['specwright typecheck'],
  failure: 'there are type errors, or the configuration cannot be read',
  async run({ values: { project = 'tsconfig.json' } }) {
    const { default: ts } = await import('../libraries/typescript.ts');
    const host = { getCurrentDirectory: () => process.cwd(), getCanonicalFileName: (name: string) => name, getNewLine: () => '\n' };
    const parsed = ts.getParsedCommandLineOfConfigFile(
      resolve(project),
      { noEmit: true },
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic(diagnostic) {
          throw new Error(ts.formatDiagnostic(diagnostic, host).trim());
        },
      },
    );
    if (parsed === undefined) throw new Error(`${project} cannot be read`);
    const { fileNames, options, errors } = parsed;
    const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors }));
    if (diagnostics.length === 0) return print(`no type errors in ${plural(fileNames.length, 'file')}`);
    printText(ts.formatDiagnostics(diagnostics, host));
    throw new Error(plural(diagnostics.length, 'type error'));
  },
});
