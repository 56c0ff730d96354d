// The time zone of an event: every zone the browser knows, by region.
import type { ComponentProps } from 'react';
import { SelectField } from '@/ui/field';

interface Region {
  name: string;
  zones: string[];
}

/** By region and city; zones without a region come first. Includes `chosen` even if it is obsolete. */
function regionsWith(chosen: string): Region[] {
  const regions = new Map<string, string[]>([['', ['UTC']]]);
  for (const zone of new Set([...Intl.supportedValuesOf('timeZone'), chosen].toSorted())) {
    const region = zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : '';
    const zones = regions.get(region) ?? [];
    if (!zones.includes(zone)) regions.set(region, [...zones, zone]);
  }
  return Array.from(regions, ([name, zones]) => ({ name, zones }));
}

const words = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');

/** `chosen` is the initial zone of the form. */
export function TimeZoneField({ chosen, ...rest }: ComponentProps<typeof SelectField> & { chosen: string }) {
  return (
    <SelectField {...rest}>
      {regionsWith(chosen).map(({ name, zones }) => {
        const options = zones.map((zone) => (
          <option key={zone} value={zone}>
            {words(zone)}
          </option>
        ));
        return name ? (
          <optgroup key={name} label={name}>
            {options}
          </optgroup>
        ) : (
          options
        );
      })}
    </SelectField>
  );
}
