// The logo and the wordmark, inline because the theme is a class (DESIGN.md, section 10).
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';

export const markPath = 'M8.6 6H17.2A7.1 7.1 0 0 1 17.2 20.2H14.6V23.4H16.8V26H8.6V23.4H10.4V8.6H8.6Z';

function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} className="shrink-0" aria-hidden="true">
      <rect className="fill-[#0f1f47] dark:fill-[#f7f9fc]" width="32" height="32" rx="7.5" />
      <path className="fill-[#f7f9fc] dark:fill-[#0f1f47]" d={markPath} />
      <circle cx="17" cy="13.1" r="3.7" fill="#e0ad38" />
    </svg>
  );
}

/**
 * Logo and wordmark, linked to home. The header needs the room of the wordmark between 768 and 1199 px for search, and below
 * 360 px for the links of a visitor.
 */
export function HomeLink() {
  const { t } = useTranslation('shell');
  return (
    <Link
      to={paths.home}
      aria-label={`${t('brand')}, ${t('nav.home')}`}
      className="flex items-center gap-2.5 rounded-xs"
    >
      <Mark />
      <span className="font-serif in-[header]:max-[22.4rem]:hidden in-[header]:md:max-xl:hidden text-[1.4375rem] leading-none font-semibold tracking-[-0.012em]">
        Portia
      </span>
    </Link>
  );
}
