// Login and register as two tabs. Switching remounts the form, which clears its fields and errors.
import { useLocation, useSearchParams } from 'react-router';
import { setFormDefaults } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { returnAddressOf } from '@/session/return-address';
import { TabPanel, Tabs } from '@/ui/tabs';
import { LoginForm } from './login-form';
import { RegisterForm } from './register-form';

setFormDefaults();

export function AuthTabs() {
  const { t } = useTranslation('auth');
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const mode = search.get('register') === 'true' ? 'register' : 'login';
  return (
    <Tabs
      label={t('tabs')}
      tabs={[
        { value: 'login', label: t('login') },
        { value: 'register', label: t('register') },
      ]}
      value={mode}
      onChange={(next) =>
        setSearch(next === 'register' ? { register: 'true' } : {}, {
          replace: true,
          state: returnAddressOf(state),
        })
      }
    >
      <TabPanel value="login" tabIndex={-1}>
        <LoginForm />
      </TabPanel>
      <TabPanel value="register" tabIndex={-1}>
        <RegisterForm username={suggestedUsername(state)} />
      </TabPanel>
    </Tabs>
  );
}

/** The username from the landing page in the history state; other state is ignored. */
function suggestedUsername(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('username' in state)) return undefined;
  return typeof state.username === 'string' ? state.username : undefined;
}
