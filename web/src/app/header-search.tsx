// The header's search box: Enter goes to the search screen.
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '@/paths';

export function HeaderSearch() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const search = (form: FormData) => {
    const query = String(form.get('q') ?? '').trim();
    if (query) void navigate(paths.search(query));
  };
  return (
    <form action={search} className="relative mr-1 hidden w-(--header-search) xl:block">
      <Search
        className="icon-sm pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted-foreground"
        aria-hidden="true"
      />
      <input
        type="search"
        name="q"
        aria-label={t('nav.search')}
        placeholder={t('nav.searchPlaceholder')}
        className="search-input h-9 w-full rounded-md bg-muted pr-3 pl-9 text-ui"
      />
    </form>
  );
}
