// The route guard, and the auth context outside its provider.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter, Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import { startI18n } from '@/i18n/i18n';
import { gate } from '@/testing/jobs';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { AuthProvider, useAuth } from './auth';
import { Protected } from './protected';

startI18n();

function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={['/network']}>
        <AuthProvider>
          <Routes>
            <Route element={<Protected />}>
              <Route path="/network" element={<p>my network</p>} />
            </Route>
            <Route path="/auth" element={<p>sign in</p>} />
          </Routes>
        </AuthProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('a visitor is redirected to /auth', async () => {
  open();
  expect(await screen.findByText('sign in')).toBeVisible();
});

test('a failed session check counts as a visitor', async () => {
  server.use(http.get('/api/auth/me', () => problem(503, { error: 'Please try again soon' })));
  open();
  expect(await screen.findByText('sign in')).toBeVisible();
});

test('a member sees a spinner while the session resolves, then the screen', async () => {
  const resolved = gate();
  server.use(
    http.get('/api/auth/me', async () => {
      await resolved.opened;
      return HttpResponse.json(isabel);
    }),
  );
  open();
  expect(screen.getByRole('status')).toBeInTheDocument();
  expect(screen.queryByText('sign in')).toBeNull();
  resolved.open();
  expect(await screen.findByText('my network')).toBeVisible();
});

test('signing out of a protected screen goes home, not to /auth', async () => {
  signedInAs(isabel);
  const seen: string[] = [];
  function LeaveButton() {
    const { leave } = useAuth();
    return (
      <button type="button" onClick={leave}>
        leave
      </button>
    );
  }
  function SignIn() {
    seen.push('auth');
    return null;
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={['/network']}>
        <AuthProvider>
          <Routes>
            <Route element={<Protected />}>
              <Route path="/network" element={<LeaveButton />} />
            </Route>
            <Route path="/" element={<p>home</p>} />
            <Route path="/auth" element={<SignIn />} />
          </Routes>
        </AuthProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  (await screen.findByRole('button', { name: 'leave' })).click();
  expect(await screen.findByText('home')).toBeVisible();
  expect(seen).toEqual([]);
});

test('useAuth outside its provider is an error', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  function WithoutProvider() {
    useAuth();
    return null;
  }
  expect(() => render(<WithoutProvider />)).toThrow('useAuth must be used within an AuthProvider');
});
