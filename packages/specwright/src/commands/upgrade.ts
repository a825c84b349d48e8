/** `specwright upgrade` */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { defineCommand } from '@specwright/server/command';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Brings the project to newer packages, and merges what their template has changed since with what was changed here. What cannot\nbe merged is marked as git does, and listed. It needs a git work tree without changes, so that all of it can be undone.',
  options: {
    from: { type: 'string', value: 'FOLDER', description: 'a checkout of specwright, or a folder of its tarballs (default: the registry)' },
    'dry-run': { type: 'boolean', description: 'says what it would change' },
    'no-install': { type: 'boolean', description: 'writes the files alone, and lists the commands that remain' },
  },
  examples: ['specwright upgrade --dry-run', 'specwright upgrade --from ../specwright'],
  failure: 'it was refused, a step failed, or there are conflicts to resolve',
  async run({ values }) {
    const { checkoutProgram } = await import('../upgrade/find-templates.ts');
    const { upgrade } = await import('../upgrade/upgrade.ts');
    const { from, 'dry-run': dryRun, 'no-install': noInstall } = values;
    const checkout = from === undefined ? undefined : checkoutProgram(resolve(from));
    if (checkout === undefined) {
      await upgrade({ project: readProject(), from: from && resolve(from), dryRun, install: !noInstall });
      return;
    }
    const options = [...(dryRun ? ['--dry-run'] : []), ...(noInstall ? ['--no-install'] : [])];
    const { status } = spawnSync(process.execPath, [checkout, 'upgrade', ...options], { stdio: 'inherit' });
    // It has said why.
    if (status !== 0) process.exit(status ?? 1);
  },
});
