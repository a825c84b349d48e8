/** A copy of this project as a fixture, with the commands of `specwright` in it. */
import { afterEach, beforeEach } from '@jest/globals';
import { killProcesses } from 'specwright/testing';
import { withCommands, type CommandResult } from './commands.ts';
import { copyProject, type Project } from './project.ts';

/** A project of its own for each test of the current file. */
export function withProject(): Project & {
  /** Runs a command of `specwright` in it, as its scripts do, without a process of its own (see `withCommands`). */
  command(...args: string[]): Promise<CommandResult>;
} {
  let project: Project | undefined;
  const run = withCommands();
  const current = (): Project => {
    if (project === undefined) throw new Error('the project is there in tests and hooks only');
    return project;
  };
  beforeEach(async () => {
    project = await copyProject({ otherTests: false });
  });
  afterEach(async () => {
    await killProcesses();
    await project?.remove();
    project = undefined;
  });
  return {
    get folder() {
      return current().folder;
    },
    edit: (...args) => current().edit(...args),
    run: (...args) => current().run(...args),
    npx: (...args) => current().npx(...args),
    specwright: (...args) => current().specwright(...args),
    command: (...args) => run(current().folder, ...args),
    typecheck: () => current().typecheck(),
    remove: () => current().remove(),
  };
}
