// The entry point: language, form messages, the style nonce, the session query, then the first render.
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '@/api/query-client';
import { sessionQuery } from '@/api/session';
import { startI18n } from '@/i18n/i18n';
import { addInstallLinks } from './install-links';
import { Router } from './router';
import { restrictSinks } from './trusted-types';
import './styles.css';

restrictSinks();
// Radix adds <style> elements. The content security policy accepts them only with the nonce of this response.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

startI18n();
addInstallLinks();
const queryClient = createQueryClient();
void queryClient.prefetchQuery(sessionQuery);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// A transition is drawn in slices: one task of the whole screen blocks a phone for a fifth of a second.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
