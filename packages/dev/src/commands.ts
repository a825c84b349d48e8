/** The entry `@specwright/dev/commands`: the development loop, and the mock. Each is loaded when it runs. */
export const COMMANDS = {
  dev: () => import('./commands/dev.ts'),
  mock: () => import('./commands/mock.ts'),
};
