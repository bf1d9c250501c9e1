import { defineConfig } from '@playwright/test';

const chromium = process.env.PARLOR_CHROMIUM ?? '/usr/bin/chromium-headless-shell';

export default defineConfig({
  testDir: 'tests',
  outputDir: '../target/browser/results',
  globalSetup: './tests/start-server.ts',
  reporter: [['list'], ['./tests/closing-line.ts']],
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: { executablePath: chromium },
    viewport: { width: 1280, height: 860 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
