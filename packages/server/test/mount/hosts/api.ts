/** What the hosts mount, in the file that has it in docs/how-to/express.md. */
export { options } from '../options.ts';
