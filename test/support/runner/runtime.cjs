/**
 * How Jest loads the modules of a test file here: with Node's own loader, which keeps them for the next file of the worker. Jest's loader
 * compiles and links each import graph anew for each file. A file with `@jest-environment node` in its first comment gets Jest's loader.
 */
const { pathToFileURL } = require('node:url');
const JestRuntime = require('jest-runtime').default;

/** What needs modules that are loaded for one file. */
const REFUSED = [
  'mock',
  'doMock',
  'unmock',
  'dontMock',
  'setMock',
  'unstable_mockModule',
  'resetModules',
  'isolateModules',
  'isolateModulesAsync',
];

let hooks;
let findSourceMap = () => undefined;

/** Jest asks it for the source map of a file that a stack trace names. */
const sourceMaps = new (class extends Map {
  get(file) {
    return findSourceMap(file);
  }
})();

class SharedRuntime extends JestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    hooks ??= import('./hooks.mjs');
    const { setGlobals, sourceMapOf } = await hooks;
    findSourceMap = sourceMapOf;
    setGlobals({ ...this.globals, jest: withoutModules(this.jestGlobals.jestObjectFor(path)) });
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  requireModule(path) {
    return require(path);
  }

  /** jest-circus holds the tests of a file in variables of its module and of the global object: it is loaded for each file. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[require.resolve(path)];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    this.globals = globals;
  }
}

function withoutModules(jest) {
  const refuse = (name) => () => {
    throw new Error(`jest.${name} needs modules that are loaded for this file alone: begin the file with /** @jest-environment node */`);
  };
  return { ...jest, ...Object.fromEntries(REFUSED.map((name) => [name, refuse(name)])) };
}

/** Jest constructs one for each test file. */
module.exports = class {
  constructor(config, environment, ...rest) {
    const Runtime = environment.sharesModules ? SharedRuntime : JestRuntime;
    return new Runtime(config, environment, ...rest);
  }
};
