// The one-time link that operators issue: `/forgot-password#token=..&username=..`.

export interface OperatorLink {
  token: string;
  username: string;
}

/** Parses the fragment of an address; null if it is no operator link. */
export function operatorLink(hash: string): OperatorLink | null {
  // URLSearchParams would decode a plus sign, which a username may contain, as a space.
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
