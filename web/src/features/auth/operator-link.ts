// The one-time link of the people who run this Portia: `/forgot-password#token=..&username=..`.

export interface OperatorLink {
  token: string;
  username: string;
}

/** What the part of an address after `#` carries; null when it is no such link. */
export function operatorLink(hash: string): OperatorLink | null {
  // Not URLSearchParams: there a plus, which a username may have, is a blank.
  const parts = new Map(
    hash
      .replace(/^#/, '')
      .split('&')
      .map((part) => {
        const [name = '', value = ''] = part.split(/=(.*)/s, 2);
        return [name, decoded(value)] as const;
      }),
  );
  const token = parts.get('token');
  const username = parts.get('username');
  return token && username ? { token, username } : null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
