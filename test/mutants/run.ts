/** `npm run ts -- test/mutants/run.ts generated [PART...]`: tries mutants that are made by kind (run-generated.ts). */
import { runGenerated } from './run-generated.ts';

const [first, ...parts] = process.argv.slice(2);
if (first !== 'generated') {
  console.error('usage: npm run ts -- test/mutants/run.ts generated [PART...]   (test/mutants/README.md)');
  process.exitCode = 2;
} else if (!(await runGenerated(parts))) process.exitCode = 1;
