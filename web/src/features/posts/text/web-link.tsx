// A link in a member's text: to another site in a new tab, within Portia by the router.
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface WebLinkProps {
  /** http(s), checked by `webAddress`. */
  href: string;
  /** The colour of the link; by default the colour of links. The link is always underlined. */
  className?: string;
  children: ReactNode;
}

export function WebLink({ href, className = 'link', children }: WebLinkProps) {
  const path = pathWithin(href);
  const look = `${className} underline`;
  return path === null ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc" className={look}>
      {children}
    </a>
  ) : (
    <Link to={path} className={look}>
      {children}
    </Link>
  );
}

/** The path of a screen of this Portia; null for another site, for the API, and for files. */
function pathWithin(href: string): string | null {
  const { origin, pathname, search, hash } = new URL(href);
  const isScreen = origin === window.location.origin && !/^\/(?:api|media|assets)(?:\/|$)/.test(pathname);
  return isScreen ? `${pathname}${search}${hash}` : null;
}
