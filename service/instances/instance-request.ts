import { type InstanceBody } from '../../specs/operations/instances.ts';
import { packageName, semanticVersion } from '../../specs/operations/package-shapes.ts';
import { otherHandle } from '../errors/access-errors.ts';
import { DraftError } from '../errors/draft-error.ts';
import {
  genericRequired,
  instanceNameRequired,
  invalidInstance,
  nothingBound,
} from '../errors/instance-errors.ts';
import type { DraftMessage, DraftSet } from '../messages/drafts/message-draft.ts';
import { readDrafts } from '../messages/drafts/read-drafts.ts';
import type { Tenant } from '../store/tenants.ts';

/** A port of a node. A generic node leaves one or both open. */
export type Port = 'input' | 'output';

/** A request to create an Instance that has passed the checks that need no database. */
export interface InstanceRequest {
  generic: { package: string; node: string; version: string };
  /** `<handle>/<name>` */
  fullName: string;
  name: string;
  /** `undefined`: the version of the existing package, or the default. */
  version: string | undefined;
  visibility: 'public' | 'private' | undefined;
  packageDescription: string | undefined;
  nodeDescription: string;
  requiredSecrets: readonly string[];
  /** Drafts by port, at least one. */
  drafts: Readonly<Partial<Record<Port, unknown>>>;
}

/**
 * Checks a request in this order: required fields, name and handle, version, drafts.
 *
 * @throws ApiError 400, or 403 for a name with another handle
 */
export function checkInstanceRequest(tenant: Tenant, body: InstanceBody): InstanceRequest {
  if (!body.generic_package || !body.generic_node) throw genericRequired();
  if (!body.name) throw instanceNameRequired();
  const drafts = boundDrafts(body);
  if (Object.keys(drafts).length === 0) throw nothingBound();
  const { name: fullName } = body;
  if (fullName.includes('/') && !fullName.startsWith(`${tenant.handle}/`))
    throw otherHandle(fullName, tenant.handle);
  const named = packageName.safeParse(fullName);
  if (!named.success) throw invalidInstance(`name: ${firstProblem(named.error)}`);
  const version = body.version === '' ? undefined : body.version;
  const versioned = semanticVersion.optional().safeParse(version);
  if (!versioned.success) throw invalidInstance(`version: ${firstProblem(versioned.error)}`);
  readInstanceDrafts(drafts);
  return {
    generic: {
      package: body.generic_package,
      node: body.generic_node,
      version: body.generic_version ?? '',
    },
    fullName,
    name: fullName.slice(tenant.handle.length + 1),
    version,
    visibility: body.visibility,
    packageDescription: body.package_description,
    nodeDescription: body.node_description ?? '',
    requiredSecrets: body.required_secrets ?? [],
    drafts,
  };
}

/**
 * Returns the messages of a request's drafts, after the existing drafts of its package.
 *
 * @throws ApiError 400
 */
export function readInstanceDrafts(
  drafts: InstanceRequest['drafts'],
  existing: readonly DraftMessage[] = [],
): DraftSet {
  try {
    return readDrafts(drafts, existing);
  } catch (error) {
    if (error instanceof DraftError) throw invalidInstance(error.message);
    throw error;
  }
}

/** Treats `null` as absent, because some clients always send both ports. */
function boundDrafts({ output, input }: InstanceBody): InstanceRequest['drafts'] {
  return { ...(output != null && { output }), ...(input != null && { input }) };
}

function firstProblem(error: { issues: readonly { message: string }[] }): string {
  return error.issues[0]?.message ?? 'is not valid';
}
