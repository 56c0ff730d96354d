// Whether a screen is shown again, by Back or Forward.
import { useLocation, useNavigationType } from 'react-router';

/** The history entry of the first screen of a visit. */
const first = 'default';
let hasLeftFirst = false;

/** Notes the history entry of a screen that is drawn. */
export function noteScreen(key: string): void {
  if (key !== first) hasLeftFirst = true;
}

/** Whether the member returned to a previous screen. */
export function useReturnNavigation(): boolean {
  const { key } = useLocation();
  // The first screen of a visit is a POP too.
  return useNavigationType() === 'POP' && (key !== first || hasLeftFirst);
}
