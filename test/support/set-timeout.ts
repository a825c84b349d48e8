/** In each test file: the timeout of a test that names none, longer on a slow or busy machine. */
import { jest } from '@jest/globals';
import { scaleTimeout } from '@specwright/testing';

jest.setTimeout(scaleTimeout(20_000));
