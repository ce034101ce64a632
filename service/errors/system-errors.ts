import { ApiError } from './api-error.ts';

/** The process cannot serve requests. `checks` are results by check: `ok`, or an error text. */
export function notReady(checks: Readonly<Record<string, string>>): ApiError {
  const failed = Object.entries(checks).filter(([, text]) => text !== 'ok');
  const causes = failed.map(([name, text]) => `${name}: ${text}`).join('; ');
  return new ApiError(503, 'not_ready', {
    status: 'not ready',
    checks: { ...checks },
    message: `the service is not ready: ${causes}`,
  });
}

/** The file is not part of this release. */
export function pageAssetNotFound(): ApiError {
  return new ApiError(404, 'file_not_found', { error: 'file not found: reload the page that links to it' });
}
