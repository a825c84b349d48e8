/** The import rules: which part of the program may know which. `npm run boundaries` fails on any other import. */

/** A folder or file of src/, as a pattern. */
const part = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`;

/** What the service tells every other part: its name, its errors, its variables, who calls. */
const FACTS = ['service/about', 'service/caller', 'service/config', 'service/errors'];

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

    only('errors', part('errors'), ['service/errors'], 'errors imports the codes of the service only.'),
    only('generated', '^generated/', [], 'generated imports nothing of ours.'),
    ...onlyValues(
      'facts',
      part(...FACTS),
      ['variables'],
      ['errors'],
      'What the service tells all others imports nothing of ours but types.',
    ),
    only('config', part('config'), ['errors', 'variables', ...FACTS], 'config imports errors, and the variables of the service.'),
    only('limits', part('limits'), ['errors'], 'limits imports errors only.'),
    only(
      'db',
      part('db'),
      ['errors', 'limits/windows', 'limits/strikes', 'limits/store', 'service/about'],
      'db imports errors, the name of the service, and of limits what its store keeps.',
    ),
    only('worker', part('worker'), ['db', 'errors', 'service/about'], 'worker imports db and errors only.'),
    only('contract', part('contract'), ['generated', 'errors', 'service/caller'], 'contract imports generated, errors and who calls.'),
    ...onlyValues('ops', part('ops'), [], ['config', 'contract'], 'ops imports nothing of ours but types.'),
    only(
      'http',
      part('http'),
      ['contract', 'limits', 'errors', 'service/errors', 'service/caller'],
      'http imports contract, limits and errors; stores arrive as arguments.',
    ),
    ...onlyValues('handlers', part('handlers'), ['db', 'errors'], ['contract'], 'handlers import db and errors, and types of contract.'),
    only(
      'app',
      part('app'),
      ['generated', 'contract', 'errors', 'http', 'limits', 'service/about'],
      'app is the machinery: what belongs to the service arrives as arguments.',
    ),
    ...onlyValues(
      'service',
      '^src/service/(?!(about|caller|config|errors)\\.ts$)',
      ['generated', 'contract', 'db', 'errors', 'handlers', 'http', 'limits', 'worker', ...FACTS],
      ['app', 'config'],
      'service composes what belongs to the service.',
    ),
    only('main', part('main'), ['app', 'config', 'db', 'ops', 'service', 'errors'], 'main starts what app and service give it.'),
    only('cli', part('cli'), ['config', 'db', 'errors'], 'cli imports config, db and errors only.'),
    only(
      'scripts',
      '^scripts/',
      ['contract/load', 'config', 'db', 'errors', 'service/about'],
      'scripts import contract/load, config, db, errors and service/about only.',
    ),
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
