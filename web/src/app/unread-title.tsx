// The number of unread messages and notifications before the title of the page, as in `(3) Jobs | Portia`, and on the icon
// of the installed app.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadQuery } from '@/api/queries';

/** Renders nothing. */
export function UnreadTitle() {
  const { data } = useQuery(unreadQuery);
  const unread = data ? data.messages + data.notifications : 0;

  useEffect(() => {
    if (unread === 0) return;
    mark(unread);
    // Each screen writes its own title.
    const observer = new MutationObserver(() => mark(unread));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      mark(0);
    };
  }, [unread]);

  useEffect(() => {
    if (unread > 0) void navigator.setAppBadge?.(unread).catch(() => undefined);
    else void navigator.clearAppBadge?.().catch(() => undefined);
  }, [unread]);
  useEffect(() => () => void navigator.clearAppBadge?.().catch(() => undefined), []);

  return null;
}

const most = 99;

function mark(unread: number): void {
  const title = document.title.replace(/^\(\d+\+?\) /, '');
  const marked = unread > 0 ? `(${unread > most ? `${most}+` : unread}) ${title}` : title;
  if (title && document.title !== marked) document.title = marked;
}
