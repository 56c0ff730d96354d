// An object URL of a file that this browser keeps, as long as a component shows it.
import { useEffect, useState } from 'react';
import { readFile } from '@/session/file-store';

/** Null until the file is read, and when it is gone. */
export function useFileUrl(memberId: string, id: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let left = false;
    void readFile(memberId, id).then((file) => {
      if (!file || left) return;
      made = URL.createObjectURL(file);
      setUrl(made);
    });
    return () => {
      left = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [memberId, id]);
  return url;
}
