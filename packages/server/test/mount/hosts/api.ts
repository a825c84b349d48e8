/** What the hosts mount, in the file that has it in the pages of docs/how-to. */
export { options } from '../options.ts';
