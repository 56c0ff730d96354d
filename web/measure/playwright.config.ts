// Measurements in Chromium against a running Portia at PORTIA_URL: they print tables and expect no times. Run nothing else meanwhile.
import { defineConfig } from '@playwright/test';
import tests from '../playwright.config.ts';

export default defineConfig({
  ...tests,
  testDir: '.',
  testMatch: '*.measure.ts',
  outputDir: '../test-results',
  workers: 1,
  timeout: 900_000,
  use: { ...tests.use, actionTimeout: 20_000 },
});
