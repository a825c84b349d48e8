/** ESLint: the commands of the tool write files by one module, which refuses links, and print by one, which escapes what documents say. */

const MODULES = ['fs', 'node:fs', 'fs/promises', 'node:fs/promises'];
/** What changes files or folders, with and without `Sync`. */
const WRITES = [
  ...['appendFile', 'chmod', 'chown', 'copyFile', 'cp', 'fchmod', 'fchown', 'ftruncate', 'futimes', 'lchmod', 'lchown', 'link', 'lutimes'],
  ...['mkdir', 'mkdtemp', 'mkdtempDisposable', 'open', 'rename', 'rm', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes'],
  ...['write', 'writeFile', 'writev', 'createWriteStream', 'WriteStream', 'promises', 'default'],
];
const NAMES = new Set(WRITES.flatMap((name) => [name, `${name}Sync`]));

export const toolOutput = {
  rules: {
    'one-printer': {
      meta: {
        type: 'problem',
        schema: [],
        messages: { print: 'Use print or printError of @specwright/server/command, which escape control characters and commands of CI.' },
      },
      create: (context) => ({
        'MemberExpression[object.name="console"], MemberExpression[object.object.name="process"][object.property.name=/^std(out|err)$/][property.name="write"]':
          (node) => context.report({ node, messageId: 'print' }),
      }),
    },
    'one-writer': {
      meta: {
        type: 'problem',
        schema: [],
        messages: { write: 'Use src/files/write-files.ts, which refuses links and places outside of the project.' },
      },
      create(context) {
        const report = (node) => context.report({ node, messageId: 'write' });
        const isFs = (source) => MODULES.includes(source?.value);
        return {
          ImportDeclaration({ source, importKind, specifiers }) {
            if (!isFs(source) || importKind === 'type') return;
            for (const specifier of specifiers) {
              if (specifier.importKind === 'type') continue;
              if (specifier.type !== 'ImportSpecifier' || NAMES.has(specifier.imported.name)) report(specifier);
            }
          },
          'ImportExpression, ExportAllDeclaration, ExportNamedDeclaration'(node) {
            if (isFs(node.source)) report(node);
          },
          'CallExpression[callee.name="require"], CallExpression[callee.property.name="getBuiltinModule"]'(node) {
            if (isFs(node.arguments[0])) report(node);
          },
        };
      },
    },
  },
};
