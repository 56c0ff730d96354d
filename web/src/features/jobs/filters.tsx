// The search field and the four filters of the jobs screen; their values are part of the address.
import type { JobFilters } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { SearchField } from '@/ui/search-field';
import { Select } from '@/ui/select';

/** Specification, section 9, Filter options, followed by locations in the Philippines. */
const choices = {
  location: [
    'washington',
    'new york',
    'california',
    'remote',
    'philippines',
    'metro manila',
    'manila',
    'makati',
    'quezon city',
    'taguig',
    'pasig',
    'cebu city',
    'davao city',
  ],
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

const names = ['location', 'practiceArea', 'experienceLevel', 'employmentType'] as const;

/** The time without a key press after which a search is sent, in milliseconds. */
const pause = 300;

/** The filters of the jobs screen with their values, for the address. */
export const jobFilters = { search: null, ...choices };

interface FiltersProps {
  filters: JobFilters;
  onChange: (change: { [Name in keyof JobFilters]?: string }) => void;
}

export function Filters({ filters, onChange }: FiltersProps) {
  const { t } = useTranslation('jobs');
  return (
    <div className="mb-4 grid grid-cols-2 gap-2.5 lg:grid-cols-[minmax(0,1.7fr)_repeat(4,minmax(0,1fr))]">
      <SearchField
        label={t('search')}
        className="col-span-2 lg:col-span-1"
        value={filters.search ?? ''}
        pause={pause}
        onSearch={(search) => onChange({ search })}
      />
      {names.map((name) => (
        <Select<string>
          key={name}
          label={t(name)}
          className="max-sm:gap-1 max-sm:px-2"
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
