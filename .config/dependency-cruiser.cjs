/** The import rules: which part of the program may know which. `npm run boundaries` fails on any other import. */

/** A folder or file of src/, as a pattern. */
const part = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`;

/** `from` may import from our own code only itself and `parts`; `generated` is named like any other part. */
function only(name, from, parts, comment) {
  const allowed = parts.map((p) => (p === 'generated' ? '^generated/' : part(p)));
  return {
    name,
    comment,
    severity: 'error',
    from: { path: from },
    to: { path: '^(src|generated|scripts|test)/', pathNot: [from, ...allowed] },
  };
}

/** As `only`, for imports that survive compilation: types may come from `types` as well. */
function onlyValues(name, from, parts, types, comment) {
  const everything = only(name, from, [...parts, ...types], comment);
  const values = types.map((t) => ({
    name: `${name}-${t}-types-only`,
    comment: `${comment} From ${t}: types only.`,
    severity: 'error',
    from: { path: from },
    to: { path: t === 'generated' ? '^generated/' : part(t), dependencyTypesNot: ['type-only'] },
  }));
  return [everything, ...values];
}

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared',
      comment: 'What is imported stands in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-dependencies-in-src',
      comment: 'A server is installed with `npm ci --omit=dev`.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },

    only('errors', part('errors'), [], 'errors imports nothing of ours.'),
    only('generated', '^generated/', [], 'generated imports nothing of ours.'),
    only('config', part('config'), ['errors'], 'config imports errors only.'),
    only('limits', part('limits'), ['errors'], 'limits imports errors only.'),
    only(
      'db',
      part('db'),
      ['errors', 'limits/windows', 'limits/strikes', 'limits/store'],
      'db imports errors, and of limits what its store keeps.',
    ),
    only('worker', part('worker'), ['db', 'errors'], 'worker imports db and errors only.'),
    only('contract', part('contract'), ['generated', 'errors'], 'contract imports generated and errors only.'),
    ...onlyValues('ops', part('ops'), [], ['config', 'contract'], 'ops imports nothing of ours but types.'),
    only('http', part('http'), ['contract', 'limits', 'errors'], 'http imports contract, limits and errors; stores arrive as arguments.'),
    ...onlyValues('handlers', part('handlers'), ['db', 'errors'], ['contract'], 'handlers import db and errors, and types of contract.'),
    only(
      'app',
      part('app'),
      ['generated', 'contract', 'db', 'errors', 'handlers', 'http', 'limits', 'ops', 'config'],
      'app is not imported by what it composes.',
    ),
    only(
      'main-cli',
      part('main', 'cli'),
      ['app', 'config', 'db', 'ops', 'worker', 'errors'],
      'main and cli import app, config, db, ops, worker and errors only.',
    ),
    only('scripts', '^scripts/', ['contract/load', 'config', 'db', 'errors'], 'scripts import contract/load, config, db and errors only.'),
    { name: 'src-not-scripts', severity: 'error', from: { path: '^(src|generated)/' }, to: { path: '^(scripts|test|bench)/' } },

    {
      name: 'nouns-apart',
      comment: "A noun's handler file does not import another noun's. What nouns share stands in handlers/shared.",
      severity: 'error',
      from: { path: '^src/handlers/([^/]+)', pathNot: '^src/handlers/index\\.ts$' },
      to: { path: '^src/handlers/', pathNot: '^src/handlers/(shared/|$1)' },
    },
    {
      name: 'express-at-the-edge',
      comment: 'express appears only in app, contract and http.',
      severity: 'error',
      from: { path: '^(src|scripts)/', pathNot: part('app', 'contract', 'http') },
      to: { path: 'node_modules/(express|@types/express|express-serve-static-core)/' },
    },
    {
      name: 'knex-in-db',
      comment: 'knex and pg appear only in db.',
      severity: 'error',
      from: { path: '^(src|scripts)/', pathNot: part('db') },
      to: { path: 'node_modules/(knex|pg|@types/pg)/' },
    },
    {
      name: 'queue-in-one-file',
      comment: 'graphile-worker appears only in db/queue.',
      severity: 'error',
      from: { path: '^(src|scripts)/', pathNot: '^src/db/queue\\.ts$' },
      to: { path: 'node_modules/graphile-worker/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types'],
    },
  },
};
