// End-to-end tests in a real Chromium against a running Portia: PORTIA_URL, by default what `cargo xtask up` serves.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  // Two cores, shared with the server under test.
  workers: 2,
  // One test visits a screen eight times: two languages, two themes, two widths.
  timeout: 180_000,
  // A busy machine paints slowly; a test waits for what it expects, not for a clock.
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: process.env.PORTIA_URL ?? 'http://127.0.0.1:8080',
    // A film of every test costs more than the test: what failed is told by its DOM and one picture.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
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
