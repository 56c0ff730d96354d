// What Portia is and how it treats what is in it.
import { DocumentPage } from '@/features/documents/document-page';

export function Component() {
  return <DocumentPage page="about" />;
}
