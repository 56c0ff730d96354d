// The about page.
import { DocumentPage } from '@/features/documents/document-page';

export function Component() {
  return <DocumentPage page="about" />;
}
