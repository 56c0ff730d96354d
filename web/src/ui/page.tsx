// The container of a screen, with the title row and its action.
import type { ReactNode } from 'react';

/** The widths of main columns (styles.css): lists and columns use the page, a single text or thread the reading width. */
const widths = { page: 'max-w-page', reading: 'max-w-reading' };

export function Page({
  children,
  width = 'page',
  className = '',
}: {
  children: ReactNode;
  width?: keyof typeof widths;
  className?: string;
}) {
  return <div className={`mx-auto ${widths[width]} px-4 py-5 md:px-6 md:py-6 ${className}`}>{children}</div>;
}

export function PageHeading({
  title,
  lead,
  action,
}: {
  title: ReactNode;
  lead?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="mb-5 flex items-center justify-between gap-3 md:gap-6">
      <div className="min-w-0">
        <h1 className="font-serif text-title text-balance max-sm:text-[1.625rem]">{title}</h1>
        {lead && <p className="mt-0.5 text-body text-muted-foreground">{lead}</p>}
      </div>
      {action}
    </div>
  );
}
