// Password reset in two steps.
import { AuthLayout } from '@/features/auth/auth-layout';
import { ForgotPassword } from '@/features/auth/forgot-password';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  return (
    <AuthLayout>
      <PageMeta page="forgotPassword" />
      <ForgotPassword />
    </AuthLayout>
  );
}
