import * as operations from '../../../specs/operations/logins.ts';
import { limits } from '../../../specs/limits.ts';
import { claimLogin, startLogin } from '../../access/logins.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import { loginNotFound } from '../../errors/login-errors.ts';
import { bind, type Route } from '../bind.ts';

type LoginRouteOptions = Parameters<typeof startLogin>[0] & { rates: Pick<RateLimits, 'admitLogin'> };

/** Logins of programs that have no key yet. The operator approves them on the command line. */
export function loginRoutes(options: LoginRouteOptions): Route[] {
  return [
    bind(operations.startLogin).to(async ({ address }) => {
      await options.rates.admitLogin(address);
      const { secret, login } = await startLogin(options, address);
      const body = {
        user_code: login.code,
        login_secret: secret,
        expires_in: limits.loginSeconds,
        interval: limits.loginPollSeconds,
      };
      return { status: 201, body };
    }),
    bind(operations.pollLogin).to(async ({ body }) => {
      const claimed = await claimLogin(options, body.login_secret);
      if (claimed.state === 'none') throw loginNotFound();
      if (claimed.state === 'pending') return { status: 202, body: { status: 'pending' } };
      const { secret, key, tenant } = claimed;
      const approved = { status: 'approved', key: secret, key_id: key.id, tenant: tenant.handle } as const;
      return { status: 200, body: approved };
    }),
  ];
}
