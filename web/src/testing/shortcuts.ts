// Waits until the keyboard shortcuts have loaded.
import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';

export const shortcutsReady = () =>
  waitFor(() => expect(document.documentElement).toHaveAttribute('data-shortcuts'));
