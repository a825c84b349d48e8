/**
 * Keeps what V8 has compiled of each module, for the test files that follow in the same process: jest compiles the whole import graph
 * again for each of them, which is a third of the processor time of short ones.
 */
import vm from 'node:vm';

/** Path -> the source, and the code cache of V8: https://nodejs.org/docs/latest-v20.x/api/vm.html#vmcompilefunctioncode-params-options */
const cache = new Map();
const { compileFunction, SourceTextModule } = vm;

/** Compiled from a cache, code has lost what `import()` and `import.meta` ask for: ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING. */
const isCacheable = (source) => !/\bimport\s*[(.]/.test(source);

// V8 compares nothing but the length of the source.
const find = (path, source) => (cache.get(path)?.source === source ? cache.get(path).data : undefined);

vm.compileFunction = (source, params, options) => {
  const cachedData = find(options.filename, source);
  if (cachedData !== undefined) return compileFunction(source, params, { ...options, cachedData });
  if (!isCacheable(source)) return compileFunction(source, params, options);
  const compiled = compileFunction(source, params, { ...options, produceCachedData: true });
  if (compiled.cachedData !== undefined) cache.set(options.filename, { source, data: compiled.cachedData });
  return compiled;
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const cachedData = find(options.identifier, source);
    super(source, { ...options, ...(cachedData && { cachedData }) });
    if (cachedData === undefined && isCacheable(source)) cache.set(options.identifier, { source, data: this.createCachedData() });
  }
};
