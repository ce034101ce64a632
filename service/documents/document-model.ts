import { buildModel } from '../../generator/model/build-model.ts';
import type { MemberSource } from '../../generator/model/build-surface.ts';
import type { SdkClient, SdkModel } from '../../generator/model/sdk-model.ts';
import { clientSlug } from '../clients/client-slug.ts';

/** The subject of a document, described as version 1 of a client. */
interface DocumentSubject {
  /** Name of the client. */
  clientName: string;
  handle: string;
  members: readonly MemberSource[];
  goModulePrefix: string;
}

/** Returns the model of an SDK for the subject alone, so that documents and SDKs show the same types and samples. */
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
