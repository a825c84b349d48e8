/** The Python client, with openapi-python-client. */
import { testForeignClient } from '../support/service/foreign-clients.ts';

testForeignClient('python', [['python3', '-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']]);
