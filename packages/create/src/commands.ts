/** The entry `@specwright/create/commands`: the commands that make a project and add to it. Each is loaded when it runs. */
export const COMMANDS = {
  new: () => import('./commands/new.ts'),
  upgrade: () => import('./commands/upgrade.ts'),
  'add-operation': () => import('./commands/add-operation.ts'),
  'add-resource': () => import('./commands/add-resource.ts'),
  'add-migration': () => import('./commands/add-migration.ts'),
};
