import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** This release generates no SDK in the requested language. */
export function unsupportedLanguage(value: string): ApiError {
  return new ApiError(400, 'unsupported_language', { error: `unsupported language: ${value}` });
}

/** A request for a build or its archive does not name the language. */
export function languageRequired(): ApiError {
  return new ApiError(400, 'invalid_argument', { error: 'language query param is required' });
}

/** The client is unknown or belongs to another tenant. */
export function clientNotFound(): ApiError {
  return new ApiError(404, 'client_not_found', { error: 'client not found' });
}

/** The client has no such version, or the version has no build in the language. */
export function versionNotFound(): ApiError {
  return new ApiError(404, 'version_not_found', { error: 'version not found' });
}

/** Another client of the tenant has the name. A taken slug is not a conflict: the client gets another one. */
export function clientNameTaken(): ApiError {
  return new ApiError(409, 'name_taken', { error: 'a client with that name already exists' });
}

const aliasText = 'a member with that alias already exists — pass a distinct alias';

/** Another member of the client has the alias, or two of the new members share it. */
export function memberAliasTaken(): ApiError {
  return new ApiError(409, 'alias_taken', { error: aliasText });
}

/**
 * Another version of the new member has its alias.
 *
 * @param holder for example `version 1.0.0 of the same node`
 */
export function memberToReplace(alias: string, holder: string): ApiError {
  return new ApiError(409, 'alias_taken', {
    error: aliasText,
    message: `the alias "${alias}" belongs to ${holder}: remove that member first (svc client remove), or pass a distinct alias`,
  });
}

/** A version is requested of a client without members. */
export function clientHasNoMembers(): ApiError {
  return new ApiError(400, 'client_has_no_members', {
    error: 'client has no members — add at least one node or flow',
  });
}

/** The tenant has reached its limit of pending builds. */
export function tooManyBuilds(most: number): ApiError {
  return new ApiError(
    429,
    'too_many_builds',
    { error: `a tenant can have at most ${most} pending builds: repeat the request when some are built` },
    { 'Retry-After': String(limits.retryAfterRateLimitSeconds) },
  );
}

/** The client to which a member is added is full. */
export function tooManyMembers(most: number): ApiError {
  return new ApiError(400, 'too_many_members', { error: `a client can have at most ${most} members` });
}

/** The member lacks a required field, or its node cannot be called by an SDK. */
export function invalidMember(detail: string): ApiError {
  return new ApiError(400, 'invalid_member', { error: detail });
}

const memberCodes = {
  package: 'package_not_found',
  'package version': 'version_not_found',
  node: 'node_not_found',
  flow: 'graph_not_found',
} as const;

/**
 * Unknown, or private to another tenant.
 *
 * @param detail what the package has instead, if the tenant can see the package
 */
export function memberNotResolved(what: keyof typeof memberCodes, detail?: string): ApiError {
  const error = `${what} not found`;
  return new ApiError(404, memberCodes[what], {
    error,
    ...(detail === undefined ? {} : { message: `${error}: ${detail}` }),
  });
}

/** The build of the requested archive is pending or has failed. A lost archive is `pending`, because it is built again. */
export function buildNotReady(status: 'pending' | 'failed'): ApiError {
  return new ApiError(409, 'build_not_ready', { error: `build is not ready (status: ${status})` });
}
