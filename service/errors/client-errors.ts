import { ApiError } from './api-error.ts';

export function unsupportedLanguage(value: string): ApiError {
  return new ApiError(400, { error: `unsupported language: ${value}` });
}

export function languageRequired(): ApiError {
  return new ApiError(400, { error: 'language query param is required' });
}

/** The client is unknown or belongs to another tenant. */
export function clientNotFound(): ApiError {
  return new ApiError(404, { error: 'client not found' });
}

/** The client has no such version, or the version has no build in the language. */
export function versionNotFound(): ApiError {
  return new ApiError(404, { error: 'version not found' });
}

export function clientNameTaken(): ApiError {
  return new ApiError(409, { error: 'a client with that name already exists' });
}

export function memberAliasTaken(): ApiError {
  return new ApiError(409, { error: 'a member with that alias already exists — pass a distinct alias' });
}

export function clientHasNoMembers(): ApiError {
  return new ApiError(400, { error: 'client has no members — add at least one node or flow' });
}

export function tooManyMembers(most: number): ApiError {
  return new ApiError(400, { error: `a client can have at most ${most} members` });
}

/** The member lacks a required field, or its node cannot be called by an SDK. */
export function invalidMember(detail: string): ApiError {
  return new ApiError(400, { error: detail });
}

/** Unknown, or private to another tenant. */
export function memberNotResolved(what: 'package' | 'package version' | 'node' | 'flow'): ApiError {
  return new ApiError(404, { error: `${what} not found` });
}

export function buildNotReady(status: 'pending' | 'failed'): ApiError {
  return new ApiError(409, { error: `build is not ready (status: ${status})` });
}
