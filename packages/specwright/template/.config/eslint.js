/** ESLint: the rules that need types, so that a forgotten `await` or an `any` is found. Form is Prettier's concern. */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['generated/', 'node_modules/', '.data/', '.cache/', '.build/'] },
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
    // A noun's handlers are given the database from the start, whether or not their stubs ask it yet.
    files: ['src/handlers/**/*.ts'],
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
);
