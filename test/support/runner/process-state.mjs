/** What a test file may change of its process: it is put back before the next file. */

const EVENTS = [
  'exit',
  'beforeExit',
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'uncaughtException',
  'unhandledRejection',
  'warning',
  'message',
  'disconnect',
];

/** Called before a test file is imported. @returns a function that puts back the environment, the folder and the console. */
export function saveProcess() {
  const [cwd, env, { exit, exitCode }, { console }] = [process.cwd(), { ...process.env }, process, globalThis];
  return () => {
    if (process.cwd() !== cwd) process.chdir(cwd);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
    process.exit = exit;
    process.exitCode = exitCode;
    globalThis.console = console;
  };
}

/**
 * Called when a test file has been imported, so that what its libraries have added stays.
 *
 * @returns a function that puts back the global object and the listeners of the process.
 */
export function saveGlobals() {
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const listeners = EVENTS.map((event) => [event, process.rawListeners(event)]);
  return () => {
    for (const name of Object.getOwnPropertyNames(globalThis)) if (!(name in globals)) delete globalThis[name];
    for (const [name, before] of Object.entries(globals)) {
      const now = Object.getOwnPropertyDescriptor(globalThis, name);
      if (before.configurable && (now?.value !== before.value || now?.get !== before.get)) Object.defineProperty(globalThis, name, before);
    }
    for (const [event, before] of listeners)
      for (const listener of process.rawListeners(event)) if (!before.includes(listener)) process.removeListener(event, listener);
  };
}
