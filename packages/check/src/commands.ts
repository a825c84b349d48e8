/** The entry `@specwright/check/commands`: the commands that check a project. Each is loaded when it runs. */
export const COMMANDS = {
  lint: () => import('./commands/lint.ts'),
  'lint-baseline': () => import('./commands/lint-baseline.ts'),
  'check-breaking': () => import('./commands/check-breaking.ts'),
  changelog: () => import('./commands/changelog.ts'),
  'check-schema': () => import('./commands/check-schema.ts'),
  gates: () => import('./commands/gates.ts'),
  fuzz: () => import('./commands/fuzz.ts'),
  doctor: () => import('./commands/doctor.ts'),
};
