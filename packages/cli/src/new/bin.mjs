#!/usr/bin/env node
// `npx create-spec-first-api DIR --spec FILE`: the same as `npm run new`, from a checkout or a tarball.
import { register } from 'tsx/esm/api';

register();
const { runProgram } = await import('../program.ts');
process.exitCode = await runProgram(['new', ...process.argv.slice(2)]);
