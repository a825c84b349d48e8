/** The only writer of messages: what a command prints quotes documents, paths and arguments, which must not control a terminal or CI. */
import { printableCommands, printableLines } from '../document/printable.ts';

/** Prints lines on standard output. Control characters are escaped, and lines that a CI system would run. */
export const print = (text: string): void => console.log(printableLines(text));

/** The same of a text that ends its last line itself. */
export const printText = (text: string): void => void process.stdout.write(printableLines(text));

/** The same on standard error. */
export const printError = (text: string): void => console.error(printableLines(text));

/** Prints lines that are commands of a CI system, whose values the caller has escaped as that system asks for. */
export const printCommands = (text: string): void => console.log(printableCommands(text));
