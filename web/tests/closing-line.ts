import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Prints the counts as the other steps of `cargo xtask test` do, which adds them up. */
export default class ClosingLine implements Reporter {
  private readonly results = new Map<string, string>();

  onTestEnd(test: TestCase, result: TestResult) {
    this.results.set(test.id, result.status === 'skipped' ? 'skipped' : test.expectedStatus === result.status ? 'passed' : 'failed');
  }

  onEnd() {
    const count = (wanted: string) => [...this.results.values()].filter((status) => status === wanted).length;
    console.log(`browser tests run: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  }

  printsToStdio() {
    return false;
  }
}
