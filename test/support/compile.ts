/** The handlers and stores, compiled with other generated files than those on disk; what stays the same is read and parsed once. */
import { relative, resolve } from 'node:path';
import ts from 'typescript';

/** @returns compiles with these files of generated/: the errors, as `file:line:column message`. */
export function createTypecheck(): (generated: ReadonlyMap<string, string>) => string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const parsed = new Map<string, ts.SourceFile | undefined>();
  let program: ts.Program | undefined;
  return (generated) => {
    const texts = new Map([...generated].map(([name, text]) => [resolve('generated', name), text]));
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (file, version, ...rest) => {
      const text = texts.get(file);
      if (text !== undefined) return ts.createSourceFile(file, text, version, true);
      if (!parsed.has(file)) parsed.set(file, read(file, version, ...rest));
      return parsed.get(file);
    };
    const made = (program = ts.createProgram([resolve('src/handlers/index.ts')], options, host, program));
    const own = made.getSourceFiles().filter(({ fileName }) => fileName.startsWith(resolve('src')));
    return own
      .flatMap((file) => made.getSemanticDiagnostics(file))
      .map(({ file, start = 0, messageText }) => {
        const { line, character } = file?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 };
        const name = file === undefined ? '' : relative(process.cwd(), file.fileName);
        return `${name}:${line + 1}:${character + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      });
  };
}
