// One of the four buttons below a post.
import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from '@/ui/button';

interface PostActionProps extends ButtonProps {
  icon: LucideIcon;
  /** Classes of the icon only. */
  iconClassName?: string;
}

export function PostAction({
  icon: Icon,
  iconClassName = '',
  className = '',
  children,
  ...rest
}: PostActionProps) {
  return (
    <Button
      variant="ghost"
      className={`gap-1 px-0.5 text-[0.8125rem] min-[24rem]:gap-1.5 min-[24rem]:px-1 max-[22.4rem]:[&>svg]:hidden ${className}`}
      {...rest}
    >
      <Icon className={`icon-sm ${iconClassName}`} />
      {children}
    </Button>
  );
}
