// Whether a screen is shown again, by Back or Forward.
import { useLocation, useNavigationType } from 'react-router';

/** History entry that was left -> its last scroll position. */
export const scrolled = new Map<string, number>();

/** Whether the member returned to a previous screen. The first screen of a visit is a POP too. */
export function useReturnNavigation(): boolean {
  const { key } = useLocation();
  return useNavigationType() === 'POP' && scrolled.has(key);
}
