/** Loads what answers for handlers that are not written yet: from a package that a server in production does not install. */
import type { Contract } from '@specwright/contract';
import type { Mock } from './pipeline/mock-missing.ts';

const MOCK_MODULE = 'specwright/mock';

interface MockModule {
  readonly createMock: (contract: Contract) => Mock;
}

/**
 * The option `mock` of a server: `--mock-missing` of a project.
 *
 * @throws Error if `specwright` is not installed.
 */
export async function loadMock(contract: Contract): Promise<Mock> {
  try {
    import.meta.resolve(MOCK_MODULE);
  } catch (error) {
    throw new Error('--mock-missing needs specwright, which is not installed: npm install --save-dev specwright', {
      cause: error,
    });
  }
  const { createMock } = (await import(MOCK_MODULE)) as MockModule;
  return createMock(contract);
}
