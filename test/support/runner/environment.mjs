/** Jest's environment of this project: a test file shares Node's global object, and by `runtime.cjs` the modules, with the other files of its worker. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';
import { saveGlobals, saveProcess } from './process-state.mjs';

const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };

/**
 * Before Node 24, each storage that was ever entered is copied to each promise of the process. Jest makes one for a test file, so the
 * 300th file of a worker would pay for all before it.
 */
const enteredStorages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...call) {
  enteredStorages.add(this);
  return Reflect.apply(run, this, call);
};

/** The part that Jest asks for: https://jestjs.io/docs/configuration#testenvironment-string */
class SharedEnvironment {
  global = globalThis;
  sharesModules = true;

  constructor({ projectConfig }) {
    this.restore = [saveProcess()];
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = new LegacyFakeTimers({ config: projectConfig, global: globalThis, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  handleTestEvent({ name }) {
    if (name === 'run_start') this.restore.push(saveGlobals());
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    this.fakeTimers.dispose();
    for (const storage of enteredStorages) storage.disable();
    enteredStorages.clear();
    for (const restore of this.restore.reverse()) restore();
    this.restore = [];
  }

  exportConditions() {
    return [];
  }

  /** Jest's own module loader uses a context; it refuses an environment without this method. */
  getVmContext() {
    return null;
  }
}

/** Modules are loaded again where they change between two runs of one process, or are instrumented. */
const reloads = ({ watch, watchAll, collectCoverage }) => watch || watchAll || collectCoverage;

export default class {
  constructor(config, context) {
    return reloads(config.globalConfig) ? new NodeEnvironment(config, context) : new SharedEnvironment(config);
  }
}
