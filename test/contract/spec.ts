/** The contract of the service as its tests read it: by themselves, from what clients get, with no code of the server. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createWitness } from 'specwright/testing';

export const SPEC_PATH = fileURLToPath(new URL('../../generated/document.json', import.meta.url));

export const specText = (): string => readFileSync(SPEC_PATH, 'utf8');

export const spec = createWitness(specText());
