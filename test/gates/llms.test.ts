/** llms.txt has each page and each public export, and nothing that is gone. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { llmsText } from '../../scripts/llms.ts';

const MAX_TOKENS = 20_000;
/** Of English and names, with the tokenizers of the day; fewer are counted as more. */
const CHARACTERS_PER_TOKEN = 3.5;

const text = readFileSync('llms.txt', 'utf8');

/** The pages, and the exports of each entry without their descriptions. */
const namesIn = (listed: string): string[] => [...listed.matchAll(/^(?:#+ .*|- [\w$]+|- \[[^\]]*\]\([^)]*\))/gm)].map(([name]) => name);

test('it has each page and each export', () => expect(namesIn(text)).toEqual(namesIn(llmsText())));

test('it has at most 20,000 tokens', () => expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThan(MAX_TOKENS));
