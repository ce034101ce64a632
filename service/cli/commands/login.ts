import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { z } from 'zod';
import type { pollLogin, startLogin } from '../../../specs/operations/logins.ts';
import { ApiFailure, callApi, defaultUrl, given, serviceUrl } from '../api-client.ts';
import { askApi } from '../ask-api.ts';
import { credentialsFile, writeCredentials } from '../credentials.ts';
import { CliError, note, type Terminal } from '../output.ts';
import { approveCommand } from './login-approve.ts';

interface LoginFlags {
  url?: string;
}

type Started = z.infer<(typeof startLogin)['responses'][201]['shape']>;
type Approved = z.infer<(typeof pollLogin)['responses'][200]['shape']>;

/** `svc login`: gets a key from a service with the approval of its operator, and keeps it for later commands. */
export function loginCommand(terminal: Terminal): Command {
  return new Command('login')
    .option('--url <base_url>', 'URL of the service (default: SVC_BASE_URL or http://127.0.0.1:8080)')
    .action((flags: LoginFlags) => login(terminal, flags))
    .addCommand(approveCommand(terminal));
}

async function login(terminal: Terminal, flags: LoginFlags): Promise<void> {
  const { env } = terminal;
  // Fails before anyone approves a login whose key could not be stored.
  credentialsFile(env);
  const url = serviceUrl(flags.url ?? given(env.SVC_BASE_URL) ?? defaultUrl);
  const started = await askApi<Started>({ url }, { method: 'POST', path: '/api/v1/logins' });
  note(
    terminal,
    `your code is ${started.user_code}, valid for ${Math.round(started.expires_in / 60)} minutes`,
  );
  note(
    terminal,
    'the operator of the service approves it, with the SVC_DATA_DIR or SVC_DATABASE_URL of the service:',
  );
  note(terminal, `  svc login approve ${started.user_code} --tenant <handle>`);
  note(terminal, 'waiting for the approval (press Ctrl-C to stop)');
  const approved = await approval(url, started);
  const file = await writeCredentials(env, {
    url,
    key: approved.key,
    tenant: approved.tenant,
    key_id: approved.key_id,
  });
  note(terminal, `logged in to ${url} as ${approved.tenant}; the key is in ${file}`);
  if (env.SVC_API_KEY) note(terminal, 'warning: SVC_API_KEY is set, and commands prefer it to the login');
}

async function approval(url: string, started: Started): Promise<Approved> {
  const { login_secret, user_code, expires_in, interval } = started;
  const deadline = performance.now() + expires_in * 1000;
  while (performance.now() < deadline) {
    try {
      const { status, body } = await callApi({ url }, 'POST', '/api/v1/logins/poll', { login_secret });
      if (status === 200) return body as Approved;
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) break;
      if (!isTemporary(error)) throw error;
    }
    await delay(interval * 1000);
  }
  throw new CliError(`the code ${user_code} was not approved in time: run svc login again`);
}

/** While a login is pending, its service may restart, and a proxy may apply a rate limit. */
function isTemporary(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status >= 500 || error.status === 429;
  return error instanceof CliError;
}
