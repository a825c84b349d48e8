/** ESLint: the rules that need types, so that a forgotten `await` or an `any` is found. Form is Prettier's concern. */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import functionSize from './function-size.js';
import expressions from './linear-expressions.js';
import { responseHeaders } from './response-headers.js';
import { toolOutput } from './tool-output.js';

/**
 * Node.js 20 forgets an `AbortSignal.timeout` in it once garbage was collected, so that the timeout never comes (nodejs/node#57736); some
 * later versions lose an abort (nodejs/node#65995). A source may be the timeout of a caller, so there is no use of it that is safe.
 */
const abortSignalAny = [
  'MemberExpression[object.name="AbortSignal"][property.name="any"]',
  'MemberExpression[object.property.name="AbortSignal"][property.name="any"]',
  'VariableDeclarator[init.name="AbortSignal"] > ObjectPattern > Property[key.name="any"]',
].map((selector) => ({ selector, message: 'Use linkSignals: a timeout in AbortSignal.any may never come.' }));

export default defineConfig(
  // template-accounts/ and template-jwt/ are parts of projects, which template.slow.ts puts together and lints. Examples have their own packages.
  {
    ignores: [
      '**/generated/',
      'examples/',
      'node_modules/',
      '.data/',
      '.cache/',
      '.build/',
      'packages/*/dist/',
      'conformance/dist/',
      // Each has its own packages.
      'conformance/adapters/!(specwright*)/',
      'packages/specwright/template-*/',
    ],
  },
  {
    files: ['**/*.{ts,js,mjs,cjs}'],
    // Part of generated clients, which import nothing. The call that waits keeps both sources.
    ignores: ['packages/specwright/client/deadline.ts'],
    rules: { 'no-restricted-syntax': ['error', ...abortSignalAny] },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      // Numbers read well in messages, and an `unknown` is still refused.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A promise-returning function fits where Express 5 and supertest take a callback.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      // Functions that only some implementations need to wait in.
      '@typescript-eslint/require-await': 'off',
      // `x as T` where the types of a library say less than is known; each such place says why.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // What is computed from the contract may turn out to be empty.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      eqeqeq: 'error',
      'no-console': 'off',
    },
  },
  {
    // A promise that rejects and that nothing waits for ends the process; a query builder is no Promise, but is waited for like one.
    files: ['packages/*/src/**/*.ts', 'src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      'no-restricted-syntax': [
        'error',
        ...abortSignalAny,
        ...[
          '[property.name="isPromise"]',
          ':matches(ImportSpecifier[imported.name="isPromise"], ExportSpecifier[local.name="isPromise"])',
          'BinaryExpression[operator="instanceof"][right.name="Promise"]',
        ].map((selector) => ({ selector, message: 'Use isThenable: query builders are no Promises.' })),
      ],
    },
  },
  {
    // Texts come from clients, and one that is matched in more than linear time stops the server.
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts', 'packages/*/client/**/*.ts'],
    plugins: { specwright: expressions },
    rules: { 'specwright/linear-expression': 'error' },
  },
  {
    // A field that is written or looked up by its spelling is sent twice, or not found.
    files: ['packages/server/src/**/*.ts'],
    ignores: [
      'packages/contract/src/http/header-fields.ts',
      // A listener of its own, without the pipeline.
      'packages/server/src/process/metrics-listener.ts',
      // They write what a HeaderFields has, or pass on calls of Express handlers.
      'packages/server/src/express/captured-response.ts',
      ...['exchange', 'send-response', 'write-text', 'http-server'].map((name) => `packages/server/src/pipeline/${name}.ts`),
    ],
    plugins: { responses: responseHeaders },
    rules: { 'responses/header-fields': 'error' },
  },
  {
    // A checkout is a stranger's text: its links must not choose which files of a person are replaced.
    files: ['packages/specwright/src/**/*.ts'],
    ignores: [
      'packages/specwright/src/files/write-files.ts',
      // A cache of the tool's own installation, with a lock, and folders that npm fills.
      'packages/specwright/src/new/tarballs.ts',
      // Databases and folders of tests, in the folder for temporary files.
      'packages/specwright/src/testing/fixtures/**',
    ],
    plugins: { output: toolOutput },
    rules: { 'output/one-writer': 'error' },
  },
  {
    // What is printed quotes documents, which must control neither a terminal nor CI.
    files: ['packages/{specwright,accounts,postgres}/src/**/*.ts', 'packages/server/src/{command,process}/**/*.ts'],
    ignores: ['packages/server/src/command/print.ts', 'packages/specwright/src/testing/**'],
    plugins: { output: toolOutput },
    rules: { 'output/one-printer': 'error' },
  },
  {
    // A noun's handlers are given the database from the start, whether or not their stubs ask it yet.
    files: ['src/handlers/**/*.ts', 'packages/specwright/template/src/handlers/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^db$' }] },
  },
  {
    // Only the configuration reads the environment, so that all of it is checked before anything starts.
    files: ['src/**/*.ts'],
    ignores: ['src/config.ts'],
    rules: {
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Only src/config.ts reads the environment.' }],
    },
  },
  ...functionSize,
);
