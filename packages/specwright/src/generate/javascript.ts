/** Modules as JavaScript with declarations beside, so that a program that imports them needs neither a compiler nor its settings. */
import ts from '../libraries/typescript.ts';

const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
};

/** `openapi.ts` has types alone: nothing imports it when it runs. */
const TYPES = 'openapi';

/**
 * @param name without its extension. @param module TypeScript whose exports have types.
 * @returns file name -> content: `client.js` and `client.d.ts`; of `openapi` the types alone.
 */
export function javaScriptModule(name: string, module: string): [string, string][] {
  const text = module.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
  const types = ts.transpileDeclaration(text, { compilerOptions: COMPILER_OPTIONS }).outputText;
  const declarations: [string, string] = [`${name}.d.ts`, types];
  if (name === TYPES) return [declarations];
  return [[`${name}.js`, ts.transpileModule(text, { compilerOptions: COMPILER_OPTIONS }).outputText], declarations];
}

/** What is generated, as JavaScript: the modules are ES modules, also in a package of CommonJS, which its package.json says. */
export function javaScriptFiles(files: Iterable<readonly [string, string]>): [string, string][] {
  const made = [...files].flatMap(([file, text]): [string, string][] =>
    file.endsWith('.ts') ? javaScriptModule(file.slice(0, -'.ts'.length), text) : [[file, text]],
  );
  return [...made, ['package.json', `${JSON.stringify({ type: 'module' }, null, 2)}\n`]];
}
