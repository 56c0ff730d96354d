// Whose work is whose, and what to do about work that should not be here.
import { DocumentPage } from '@/features/documents/document-page';

export function Component() {
  return <DocumentPage page="copyright" />;
}
