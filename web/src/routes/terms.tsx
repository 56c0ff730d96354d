// The rules of the house.
import { DocumentPage } from '@/features/documents/document-page';

export function Component() {
  return <DocumentPage page="terms" />;
}
