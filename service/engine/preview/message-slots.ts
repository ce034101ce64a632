import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { DraftError } from '../../errors/draft-error.ts';
import { invalidPreview, messageNotFound } from '../../errors/preview-errors.ts';
import { draftFile } from '../../messages/drafts/draft-file.ts';
import { readDrafts } from '../../messages/drafts/read-drafts.ts';
import { messageType } from '../../messages/message-type.ts';
import { createRegistry, type MessageRegistry } from '../../messages/registry.ts';
import { latestVersion } from '../../nodes/latest-version.ts';
import type { Tx } from '../../store/database.ts';
import { findMessage, type MessagePlace } from '../../store/message-types.ts';
import { listPackageVersions } from '../../store/package-versions.ts';
import { findPackage } from '../../store/packages.ts';
import type { MessageEnd } from '../adapters/mapping.ts';
import type { TypeRegistries } from '../../nodes/type-registries.ts';

/** Proto package of drafted messages, which exist for one request. */
const draftPackage = 'preview';

interface SlotReader {
  tx: Tx;
  types: TypeRegistries;
  tenantId: string;
}

/**
 * Resolves the message slots of a preview request. A slot is the name of a message in a package that the tenant can read, or a message
 * draft. Drafts with equal names are one message.
 *
 * @param slots by their path in the request
 * @throws ApiError 400 or 404, plain text
 */
export async function readMessageSlots(
  reader: SlotReader,
  slots: Readonly<Record<string, unknown>>,
): Promise<(place: string) => MessageEnd> {
  const entries = Object.entries(slots);
  const ends = draftedMessages(Object.fromEntries(entries.filter(([, slot]) => typeof slot !== 'string')));
  for (const [place, slot] of entries) {
    if (typeof slot === 'string') ends.set(place, await namedMessage(reader, place, slot));
  }
  return (place) => {
    const end = ends.get(place);
    if (!end) throw new Error(`unknown slot ${place}`);
    return end;
  };
}

function draftedMessages(drafts: Readonly<Record<string, unknown>>): Map<string, MessageEnd> {
  const { messages, roots } = readDraftSet(drafts);
  if (messages.length === 0) return new Map();
  const { descriptor } = draftFile(messages, `${draftPackage}.proto`, draftPackage);
  const set = create(FileDescriptorSetSchema, { file: [descriptor] });
  const registry = createRegistry(toBinary(FileDescriptorSetSchema, set));
  const ends = Object.entries(roots).map(([place, name]): [string, MessageEnd] => [
    place,
    { registry, type: messageType(registry, `${draftPackage}.${name}`) },
  ]);
  return new Map(ends);
}

function readDraftSet(drafts: Readonly<Record<string, unknown>>): ReturnType<typeof readDrafts> {
  try {
    return readDrafts(drafts);
  } catch (error) {
    if (error instanceof DraftError) throw invalidPreview(error.message);
    throw error;
  }
}

/** Resolves `acme.text.v1.Word`, or `acme/text@1.0.0:acme.text.v1.Word` in one package. The version defaults to the latest. */
async function namedMessage(
  { tx, types, tenantId }: SlotReader,
  place: string,
  slot: string,
): Promise<MessageEnd> {
  const [, packageName, version, name = slot] = /^([^:@]+)(?:@([^:]*))?:(.*)$/s.exec(slot) ?? [];
  const found =
    packageName === undefined
      ? await findMessage(tx, tenantId, name)
      : await packageMessagePlace(tx, tenantId, packageName, version ?? '');
  const registry = found && (await registryOf({ tx, types, tenantId }, found, name));
  const type = registry?.getMessage(name);
  if (!registry || !type) throw messageNotFound(place, slot);
  return { registry, type };
}

function registryOf({ tx, types }: SlotReader, place: MessagePlace, name: string): Promise<MessageRegistry> {
  return types.registry(tx, place.tenantId, place.versionId, [name]);
}

async function packageMessagePlace(
  tx: Tx,
  tenantId: string,
  packageName: string,
  version: string,
): Promise<MessagePlace | undefined> {
  const [handle = '', name = '', ...rest] = packageName.split('/');
  const owner = rest.length === 0 ? await findPackage(tx, handle, name) : undefined;
  // Another tenant's private package behaves like one that does not exist.
  if (!owner || (owner.visibility === 'private' && owner.tenantId !== tenantId)) return undefined;
  const versions = await listPackageVersions(tx, owner.tenantId, owner.id);
  const wanted =
    version === '' || version === 'latest' ? latestVersion(versions.map((one) => one.version)) : version;
  const found = versions.find((one) => one.version === wanted);
  return found && { tenantId: found.tenantId, versionId: found.id };
}
