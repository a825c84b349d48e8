/** Finds where the sources use what a library does not promise: docs/contributing/internals.md lists it. */
import ts from 'typescript';

export interface PrivatePart {
  /** A member, or the path of a module: `_storeHeader`, `pg/lib/utils.js`. */
  readonly name: string;
  readonly file: string;
}

/** Modules that are no entry of their package. */
const DEEP_IMPORT = /^(?!\.|node:|@specwright\/|ajv\/dist\/2020\.js).+\/(lib|dist|src|unstable)\//;
/** What Node documents for subclasses of streams, and zod as the way to a default in `zod/mini`. */
const DOCUMENTED = ['_read', '_write', '_destroy', '_transform', '_flush', '_final', '_default'];
/** Members with types, of which we use what only the library itself should. */
const CHANGED_MEMBERS = ['assignSocket', 'destroySoon', 'getRawHeaderNames', 'setPrototypeOf'];
/** How the comment of an interface begins that adds to the types of a library. */
const ADDED_TYPES = /\bWhat this file uses of\b/;

/**
 * Names that begin with `_`, modules below `lib` or `dist` of a package, members of interfaces that say "What this file uses of", and members
 * of types that a value is made to have by `as unknown as { ... }`.
 */
export function findPrivateParts(file: string, text: string): PrivatePart[] {
  const names = new Set<string>();
  const addMembers = (members: readonly ts.TypeElement[]): void => {
    for (const { name } of members) if (name !== undefined) names.add(name.getText());
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const { text } = node.moduleSpecifier as ts.StringLiteral;
      if (DEEP_IMPORT.test(text)) names.add(text);
    } else if (ts.isInterfaceDeclaration(node) && ADDED_TYPES.test(node.getFullText().slice(0, node.getLeadingTriviaWidth())))
      addMembers(node.members);
    else if (ts.isAsExpression(node) && node.expression.getText().endsWith('as unknown'))
      for (const type of ts.isUnionTypeNode(node.type) ? node.type.types : [node.type]) {
        if (ts.isTypeLiteralNode(type)) addMembers(type.members);
      }
    else if (ts.isPropertyAccessExpression(node) && (node.name.text.startsWith('_') || CHANGED_MEMBERS.includes(node.name.text)))
      names.add(node.name.text);
    else if ((ts.isTypeElement(node) || ts.isClassElement(node)) && node.name?.getText().startsWith('_')) names.add(node.name.getText());
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return [...names].filter((name) => !DOCUMENTED.includes(name)).map((name) => ({ name, file }));
}
