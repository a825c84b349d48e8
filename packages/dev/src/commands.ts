/** The entry `@specwright/dev/commands`: the development loop. Each is loaded when it runs. */
export const COMMANDS = {
  dev: () => import('./commands/dev.ts'),
};
