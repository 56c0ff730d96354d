// End-to-end tests in Chromium against a running Portia at PORTIA_URL, by default the address of `cargo xtask up`.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  // Two cores, shared with the server under test.
  workers: 2,
  // One test audits a screen and its dialogs in two languages, two themes and two widths.
  timeout: 180_000,
  // A busy machine paints slowly. A test waits for a condition, not for a fixed time.
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    // Routes of a test do not see the requests of a worker. offline.spec.ts allows it.
    serviceWorkers: 'block',
    baseURL: process.env.PORTIA_URL ?? 'http://127.0.0.1:8080',
    // A failure is documented by the accessibility tree of its page and the screenshots of e2e/test.ts. A trace of every test takes
    // a quarter of its CPU time, and a video more than the test; `--trace retain-on-failure` records traces.
    screenshot: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
