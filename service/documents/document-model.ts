import { buildModel } from '../../generator/model/build-model.ts';
import type { MemberSource } from '../../generator/model/build-surface.ts';
import type { SdkClient, SdkModel } from '../../generator/model/sdk-model.ts';
import { clientSlug } from '../builds/client-slug.ts';

/** What a document is about: its members are those of a client that has just been built for the first time. */
export interface DocumentSubject {
  /** Name that a client for it would have. */
  clientName: string;
  handle: string;
  members: readonly MemberSource[];
  goModulePrefix: string;
}

/**
 * The model of an SDK for nothing but the subject: what its types, samples and code samples are taken from, so that documents
 * and SDKs say the same.
 */
export function documentModel({ clientName, handle, members, goModulePrefix }: DocumentSubject): SdkModel {
  const client: SdkClient = {
    name: clientName,
    slug: clientSlug(clientName),
    description: '',
    handle,
  };
  const semver = '1.0.0';
  return buildModel({
    client,
    version: 1,
    semver,
    generator: 'svc',
    goModulePrefix,
    members,
    changelog: [{ semver, version: 1, added: [], changed: [], removed: [] }],
    firstSeen: [],
  });
}
