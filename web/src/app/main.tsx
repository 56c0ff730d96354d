// Where the client starts: language, form messages, the style nonce, the session check, then the first render.
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '@/api/query-client';
import { sessionQuery } from '@/api/session';
import { startI18n } from '@/i18n/i18n';
import { Router } from './router';
import './styles.css';

// Radix writes <style> elements; the policy admits those that carry this answer's nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

startI18n();
const queryClient = createQueryClient();
void queryClient.prefetchQuery(sessionQuery);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router />
    </QueryClientProvider>
  </StrictMode>,
);
