/** `npm run bench -- NAME`: runs one scenario of this folder. */
import { readdirSync } from 'node:fs';

const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'measure.ts')
  .map((file) => file.slice(0, -'.ts'.length));
const [name = ''] = process.argv.slice(2);
if (names.includes(name)) {
  const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<void> };
  await run();
} else {
  console.error(`usage: npm run bench -- ${names.join('|')}`);
  process.exitCode = 2;
}
