// Message, beside a person: to the conversation with them.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Button, buttonClass } from '@/ui/button';
import { useOpenConversation } from './opening';

interface MessageButtonProps {
  person: Author;
  size?: 'sm' | 'md';
  className?: string;
  children: ReactNode;
}

/** A visitor is led to where members write, and oneself to one's own messages. Needs the texts of `network`. */
export function MessageButton({ person, size, className, children }: MessageButtonProps) {
  const { user } = useAuth();
  const open = useOpenConversation();
  if (!user || user.id === person.id) {
    return (
      <Link to={paths.messages} className={buttonClass({ variant: 'outline', size, className })}>
        {children}
      </Link>
    );
  }
  return (
    <Button
      variant="outline"
      size={size}
      className={className}
      busy={open.isPending}
      onClick={() => open.mutate(person)}
    >
      {children}
    </Button>
  );
}
