#!/usr/bin/env node
/** The program `specwright`. All that it imports is imported later, so that an old Node.js is refused with a sentence. */
import './require-node.mjs';

import('./start.mjs');
