/** The public API of each package as the compiler sees it: modules, exports, and their declarations as `tsc` emits them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PACKAGES = ['contract', 'server', 'postgres', 'accounts', 'embedded-postgres', 'openapi-compare', 'specwright'];

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly '@specwright/source'?: string }>>;
}

interface Entry {
  readonly specifier: string;
  readonly source: string;
}

/** An export of a module, with its declaration and docstrings; `first` is the module that was listed with the same one before. */
export interface ApiExport {
  readonly name: string;
  readonly specifier: string;
  /** Equal for two exports of the same thing. */
  readonly symbol: ts.Symbol;
  readonly declaration: string;
  readonly first: string | undefined;
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
export const manifestOf = (name: string): Manifest => JSON.parse(read(`packages/${name}/package.json`)) as Manifest;

/** The modules that a package exports, with their sources. */
export const entriesOf = (name: string): Entry[] => {
  const manifest = manifestOf(name);
  return Object.entries(manifest.exports).flatMap(([path, entry]) => {
    const source = typeof entry === 'string' ? undefined : entry['@specwright/source'];
    return source === undefined ? [] : [{ specifier: manifest.name + path.slice(1), source: join(ROOT, 'packages', name, source) }];
  });
};

export class Api {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  private readonly emitted = new Map<ts.SourceFile, ts.SourceFile>();

  constructor() {
    this.program = ts.createProgram(
      PACKAGES.flatMap((name) => entriesOf(name).map(({ source }) => source)),
      {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        target: ts.ScriptTarget.ES2023,
        strict: true,
        allowImportingTsExtensions: true,
        customConditions: ['@specwright/source'],
        declaration: true,
        emitDeclarationOnly: true,
        noCheck: true,
        skipLibCheck: true,
        types: ['node'],
      },
    );
    this.checker = this.program.getTypeChecker();
  }

  /** All exports by module, sorted by name. */
  listExports(): Map<string, ApiExport[]> {
    const seen = new Map<ts.Symbol, string>();
    const modules = PACKAGES.flatMap(entriesOf).map(({ specifier, source }): [string, ApiExport[]] => {
      const file = this.program.getSourceFile(source);
      const symbol = file && this.checker.getSymbolAtLocation(file);
      if (symbol === undefined) throw new Error(`${source} exports nothing`);
      const exported = [...this.checker.getExportsOfModule(symbol)].sort((a, b) => (a.name < b.name ? -1 : 1));
      return [
        specifier,
        exported.map((one) => {
          const target = this.resolve(one);
          const first = seen.get(target);
          if (first === undefined) seen.set(target, specifier);
          return {
            name: one.name,
            specifier,
            symbol: target,
            declaration: this.declarationOf(target).replaceAll(target.name, one.name),
            first,
          };
        }),
      ];
    });
    return new Map(modules);
  }

  resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** The text of the declarations of a symbol, without bodies. */
  declarationOf(symbol: ts.Symbol): string {
    const files = new Set(symbol.declarations?.map((declaration) => declaration.getSourceFile()));
    const texts = [...files].flatMap((file) => declarationsIn(this.emit(file), symbol.name));
    if (texts.length === 0) throw new Error(`${symbol.name} has no declaration`);
    return texts.join('\n');
  }

  private emit(file: ts.SourceFile): ts.SourceFile {
    let declarations = file.isDeclarationFile ? file : this.emitted.get(file);
    if (declarations === undefined) {
      let text = '';
      this.program.emit(file, (_name, written) => (text = written), undefined, true);
      declarations = ts.createSourceFile('declarations.d.ts', text, ts.ScriptTarget.Latest, true);
      this.emitted.set(file, declarations);
    }
    return declarations;
  }
}

/** The statements of a file that declare a name, each with the comment above it. */
function declarationsIn(file: ts.SourceFile, name: string): string[] {
  return file.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      const declaration = statement.declarationList.declarations.find((one) => one.name.getText() === name);
      if (declaration === undefined) return [];
      const comment = ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc)?.getText() ?? '';
      return [tidy(`${comment}${comment === '' ? '' : '\n'}const ${declaration.getText()};`)];
    }
    const { name: own } = statement as ts.Statement & { readonly name?: ts.Node };
    if (own?.getText() !== name) return [];
    const comment = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc).at(-1)?.getText();
    return [tidy(comment === undefined ? statement.getText() : `${comment}\n${statement.getText()}`)];
  });
}

const tidy = (declaration: string): string =>
  declaration
    .replaceAll(/^export (?:declare )?/gm, '')
    .replaceAll(/import\("[^"]+"\)\./g, '')
    .replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));
