// What Portia keeps of whom, who sees it, and for how long.
import { DocumentPage } from '@/features/documents/document-page';

export function Component() {
  return <DocumentPage page="privacy" />;
}
