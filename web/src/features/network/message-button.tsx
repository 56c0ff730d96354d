// The Message button beside a member: opens the conversation with them.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Author } from '@/api/schema.gen';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Button, buttonClass } from '@/ui/button';
import { useOpenConversation } from './open-conversation';

interface MessageButtonProps {
  person: Author;
  variant?: 'outline' | 'ghost';
  size?: 'sm' | 'md';
  className?: string;
  children: ReactNode;
}

/** Redirects a visitor to the login. Nothing beside the member themselves. Needs the texts of `network`. */
export function MessageButton({
  person,
  variant = 'outline',
  size,
  className,
  children,
}: MessageButtonProps) {
  const { user } = useAuth();
  const open = useOpenConversation();
  if (user?.id === person.id) return null;
  if (!user) {
    return (
      <Link to={paths.messages} className={buttonClass({ variant, size, className })}>
        {children}
      </Link>
    );
  }
  return (
    <Button
      variant={variant}
      size={size}
      className={className}
      busy={open.isPending}
      onClick={() => open.mutate(person)}
    >
      {children}
    </Button>
  );
}
