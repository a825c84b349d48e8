/** The import rules: which package and which part may know which. `npm run boundaries` fails on any other import. */

/** What each package may import of the others (docs/architecture.md). */
const PACKAGES = {
  contract: [],
  server: ['contract'],
  'openapi-compare': ['contract'],
  'embedded-postgres': [],
  postgres: ['contract', 'embedded-postgres'],
  accounts: ['contract', 'server', 'postgres'],
  specwright: ['contract', 'server', 'postgres', 'embedded-postgres', 'openapi-compare'],
};

/** A package's own files. */
const inside = (name) => `^packages/${name}/`;

/** What `exports` of its package.json admits. */
const publicApi = (name) =>
  Object.values(require(`../packages/${name}/package.json`).exports).flatMap((entry) => {
    const source = entry['@specwright/source'];
    return source === undefined ? [] : [`^packages/${name}/${source.slice('./'.length).replaceAll('.', '\\.')}$`];
  });

const publicApis = Object.keys(PACKAGES).flatMap(publicApi);

const packageRules = Object.entries(PACKAGES).flatMap(([name, allowed]) => [
  {
    name: `${name}-packages`,
    comment: `@specwright/${name} imports ${allowed.length > 0 ? allowed.map((other) => `@specwright/${other}`).join(', ') : 'no other package'}.`,
    severity: 'error',
    from: { path: inside(name), pathNot: `^packages/${name}/test/` },
    to: { path: '^packages/', pathNot: [inside(name), ...allowed.flatMap(publicApi)] },
  },
  {
    name: `${name}-tests`,
    comment: 'The tests of a package import what it may import, its support for tests, and the fixtures of specwright/testing.',
    severity: 'error',
    from: { path: `^packages/${name}/test/` },
    to: {
      path: '^packages/',
      pathNot: [
        inside(name),
        ...['specwright', ...allowed].flatMap(publicApi),
        ...allowed.map((other) => `^packages/${other}/test/support/`),
      ],
    },
  },
  {
    name: `${name}-not-the-service`,
    comment: 'A package knows nothing of the service that uses it.',
    severity: 'error',
    from: { path: inside(name), pathNot: `^packages/${name}/test/` },
    to: { path: '^(src|generated|scripts|test|bench)/' },
  },
  {
    name: `${name}-tests-not-the-service`,
    comment: 'Nor do its tests, but for proxies and clients that know nothing of the service either.',
    severity: 'error',
    from: { path: `^packages/${name}/test/` },
    to: { path: '^(src|generated|scripts|test|bench)/', pathNot: '^test/support/tools/' },
  },
]);

/** `from` may import of the root's own code only itself and `parts`. */
const only = (name, from, parts, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|generated|scripts|test|bench)/', pathNot: [from, ...parts] },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', comment: 'Of types too.', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      severity: 'error',
      // The peers have a package.json of their own, and are installed when they are measured; so are adapters. Type proofs are of generated files.
      from: { pathNot: ['^(bench|test/browser/front-end)/peers/', '^conformance/(adapters|report)/', '^packages/server/test/types/'] },
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'What is imported is in the package.json of whoever imports it.',
      severity: 'error',
      // The tests of a package are run by the root, and use what it declares.
      from: { pathNot: ['^packages/[^/]+/test/', '^bench/peers/', '^conformance/(adapters|report|test)/'] },
      // It takes peerDependenciesMeta, where optional peers are named again, for dependencies of a kind that it does not know.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'no-dev-dependencies-in-production',
      comment: 'A server is installed with `npm ci --omit=dev`; libraries are bundled.',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src)/', pathNot: '^packages/[^/]+/src/libraries/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'public-api-only',
      comment: 'What `exports` of a package names is its public API; nothing else of it is imported from outside.',
      severity: 'error',
      from: { pathNot: '^packages/' },
      to: { path: '^packages/', pathNot: publicApis },
    },
    ...packageRules,
    {
      name: 'conformance-alone',
      comment: 'The suite knows no server: what is ours in it is an adapter beside those of others.',
      severity: 'error',
      from: { path: '^conformance/', pathNot: '^conformance/(adapters|test)/specwright' },
      to: { path: '^(src|scripts|test|bench|generated|packages)/' },
    },
    {
      name: 'src-not-tools',
      comment: 'The service is not made of tools.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(scripts|test|bench|conformance|packages/specwright)/' },
    },

    only('network', '^test/support/tools/', [], 'proxies and clients know nothing of the service.'),
    only('generated', '^generated/', [], 'generated imports nothing of the service.'),
    only('errors', '^src/errors\\.ts$', [], 'errors imports nothing of the service.'),
    only('config', '^src/config\\.ts$', [], 'config imports nothing of the service.'),
    only('security', '^src/security\\.ts$', ['^generated/'], 'security imports the types of the contract only.'),
    only('db', '^src/db/', ['^generated/', '^src/errors\\.ts$'], 'db imports errors and generated types only.'),
    only(
      'handlers',
      '^src/handlers/',
      ['^generated/', '^src/db/', '^src/errors\\.ts$', '^src/security\\.ts$'],
      'handlers import stores, errors, the types of the contract and who calls.',
    ),
    {
      name: 'nouns-apart',
      comment: "A noun's handler file does not import another noun's.",
      severity: 'error',
      from: { path: '^src/handlers/([^/]+)', pathNot: '^src/handlers/index\\.ts$' },
      to: { path: '^src/handlers/', pathNot: '^src/handlers/$1' },
    },

    {
      name: 'express-in-server',
      comment: 'express appears only in @specwright/server.',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: inside('server') },
      to: { path: 'node_modules/(express|@types/express|express-serve-static-core)/' },
    },
    {
      name: 'second-judge-in-tool',
      comment: 'express-openapi-validator judges requests in tests, and serves none.',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: inside('specwright') },
      to: { path: 'node_modules/express-openapi-validator/' },
    },
    {
      name: 'no-sql-in-server',
      comment: 'knex and pg appear only in @specwright/postgres, @specwright/accounts, the tool and the stores.',
      severity: 'error',
      from: {
        path: '^(src|packages)/',
        pathNot: ['^packages/(postgres|embedded-postgres|accounts|specwright)/', '^src/db/'],
      },
      to: { path: 'node_modules/(knex|pg|@types/pg)/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count: a cycle of types is one too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|template-accounts|template-jwt|peers/generated)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['@specwright/source', 'import', 'require', 'node', 'types'],
    },
  },
};
