/** Jest's reporter for mutants: writes its report to `MUTANT_REPORT` also when `--bail` ends the process, before which `--json` writes none. */
import { writeFileSync } from 'node:fs';

export default class Reporter {
  /** What jest calls: https://jestjs.io/docs/configuration#custom-reporters */
  onRunComplete(_contexts, { testResults }) {
    const files = testResults
      .filter(({ testExecError, numFailingTests }) => testExecError !== undefined || numFailingTests > 0)
      .map(({ testFilePath, failureMessage, testResults: tests }) => ({
        file: testFilePath,
        messages: tests.some(({ status }) => status === 'failed')
          ? tests.flatMap(({ failureMessages }) => failureMessages)
          : [failureMessage ?? ''],
      }));
    writeFileSync(process.env.MUTANT_REPORT, JSON.stringify(files));
  }
}
