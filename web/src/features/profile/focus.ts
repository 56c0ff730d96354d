// The jurisdictions and interests that a member can choose, in the order of their texts.
import type { Texts } from '@/i18n/texts';
import { useTranslation } from '@/i18n/use-translation';

export type Jurisdiction = keyof Texts['focus']['jurisdiction'];
export type Interest = keyof Texts['focus']['interest'];

/** The maximum numbers on the server. */
export const jurisdictionsAtMost = 10;
export const interestsAtMost = 20;

/** The known codes with their names. */
export function useFocus() {
  const { t, i18n } = useTranslation('focus');
  const texts = i18n.getResourceBundle(i18n.language, 'focus') as Texts['focus'];
  return {
    jurisdictions: Object.keys(texts.jurisdiction) as Jurisdiction[],
    interests: Object.keys(texts.interest) as Interest[],
    /** A code that this client does not know has no name. */
    jurisdictionName: (code: string) =>
      code in texts.jurisdiction ? t(`jurisdiction.${code as Jurisdiction}`) : null,
    interestName: (code: string) => (code in texts.interest ? t(`interest.${code as Interest}`) : null),
  };
}
