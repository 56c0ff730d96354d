// The search box and the four filters of the jobs screen; what is chosen stands in the address.
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobFilters } from '@/api/types';
import { Select } from '@/ui/select';

/** Specification, section 9, Filter options. */
const choices = {
  location: ['washington', 'new york', 'california', 'remote'],
  practiceArea: [
    'corporate',
    'litigation',
    'public-interest',
    'government',
    'immigration',
    'intellectual-property',
  ],
  experienceLevel: ['entry-level', 'mid-level', 'senior'],
  employmentType: ['full-time', 'part-time', 'internship', 'contract'],
} as const;

export const filterNames = ['location', 'practiceArea', 'experienceLevel', 'employmentType'] as const;

interface FiltersProps {
  filters: JobFilters;
  onChange: (change: JobFilters) => void;
}

export function Filters({ filters, onChange }: FiltersProps) {
  const { t } = useTranslation('jobs');
  const [search, setSearch] = useState(filters.search ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ search: search.trim() });
  };

  return (
    <div className="mb-4 grid grid-cols-2 gap-2.5 lg:grid-cols-[minmax(0,1.7fr)_repeat(4,minmax(0,1fr))]">
      <search className="relative col-span-2 lg:col-span-1">
        <form onSubmit={submit}>
          <Search
            className="icon-sm pointer-events-none absolute top-3 left-3 text-muted-foreground"
            aria-hidden="true"
          />
          <input
            type="search"
            className="input pl-9"
            placeholder={t('search')}
            aria-label={t('search')}
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.target.value)}
            onBlur={() => search.trim() !== (filters.search ?? '') && onChange({ search: search.trim() })}
          />
        </form>
      </search>
      {filterNames.map((name) => (
        <Select<string>
          key={name}
          label={t(name)}
          value={filters[name] ?? 'all'}
          onChange={(value) => onChange({ [name]: value === 'all' ? '' : value })}
          options={[
            { value: 'all', label: filters[name] ? t(`all.${name}`) : t(name) },
            ...choices[name].map((value) => ({ value, label: t(`option.${value}`) })),
          ]}
        />
      ))}
    </div>
  );
}
