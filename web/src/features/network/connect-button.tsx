// Connect, in a list of suggestions: sends a request and refetches the suggestions.
import { UserPlus } from 'lucide-react';
import type { Author, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { useConnect } from './mutations';

interface ConnectButtonProps {
  user: User;
  person: Author;
  className?: string;
}

export function ConnectButton({ user, person, className }: ConnectButtonProps) {
  const { t } = useTranslation('network');
  const connect = useConnect(user);
  return (
    <Button
      variant="outline"
      size="sm"
      className={className}
      disabled={connect.isPending}
      onClick={() => connect.mutate(person)}
    >
      <UserPlus className="icon-sm" />
      {t('connect')}
    </Button>
  );
}
