import { ApiError } from './api-error.ts';

/** The login is unknown, expired or used. The response is the same, so that it reveals nothing about logins. */
export function loginNotFound(): ApiError {
  return new ApiError(404, 'login_not_found', {
    error: 'login not found: it is expired or used; start another one',
  });
}
