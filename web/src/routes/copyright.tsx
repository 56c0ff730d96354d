// The copyright page.
import { DocumentPage } from '@/features/documents/document-page';

export function Component() {
  return <DocumentPage page="copyright" />;
}
