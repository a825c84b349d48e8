#!/usr/bin/env node
// `npx create-spec-first-api DIR --spec FILE`: the same as `npm run new`, from a checkout or a tarball.
import { register } from 'tsx/esm/api';

register();
const { main, USAGE } = await import('../new-project.ts');
const { runMain } = await import('../run.ts');
await runMain(USAGE, main);
