import { clone, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { instanceTypesDiffer } from '../errors/instance-errors.ts';
import { draftFile } from '../messages/drafts/draft-file.ts';
import type { PackageVersion } from '../store/package-versions.ts';
import type { GenericNode } from './find-generic-node.ts';
import { type InstanceRequest, type Port, readInstanceDrafts } from './instance-request.ts';
import { protoPackageOf } from './proto-package.ts';
import { existingDrafts } from './existing-drafts.ts';

/** The types of a shell package: drafted messages of its Instances, and messages of ports that are not generic. */
export interface ShellTypes {
  protos: Record<string, string>;
  descriptorSet: Uint8Array;
  /** Full names of the messages that this Instance binds. */
  bound: Partial<Record<Port, string>>;
  /** Full names of all messages, for the index of message types. */
  messages: string[];
  /** `google.protobuf.FileDescriptorSet` of the drafted messages, which each call contains. */
  binding: Uint8Array;
}

/** An existing shell package, and a message that one of its Instances binds. */
interface ExistingShell {
  version: PackageVersion;
  boundMessage: string;
}

/**
 * Combines the types of an Instance with the existing types of its package. Decision 0016 explains shell packages.
 *
 * @throws ApiError 400 if drafts conflict with each other or with existing ones, 409 if sources conflict
 */
export function shellTypes(
  { fullName, drafts }: Pick<InstanceRequest, 'fullName' | 'drafts'>,
  { node, version }: Pick<GenericNode, 'node' | 'version'>,
  existing?: ExistingShell,
): ShellTypes {
  const closed = [node.inputMessage, node.outputMessage].filter((name) => name !== null);
  const needed = filesOf(fromBinary(FileDescriptorSetSchema, version.descriptorSet).file, closed);
  const old = existing && fromBinary(FileDescriptorSetSchema, existing.version.descriptorSet).file;
  const oldDrafts = old?.find((file) => declares(file, existing?.boundMessage ?? ''));
  const imported = merged(
    fullName,
    (old ?? []).filter((file) => file !== oldDrafts),
    needed,
  );
  const sources = { ...existing?.version.protos, ...version.protos };

  const { messages, roots } = readInstanceDrafts(drafts, oldDrafts && existingDrafts(oldDrafts));
  const packageName = oldDrafts?.package ?? protoPackageOf(fullName, imported);
  const path = oldDrafts?.name ?? freePath(fullName, imported);
  if (oldDrafts && imported.some(({ name, package: other }) => name === path || other === packageName)) {
    throw instanceTypesDiffer(fullName, path);
  }
  const { source, descriptor } = draftFile(messages, path, packageName);
  const files = [...imported, descriptor];
  const protos = imported.flatMap(({ name }) => (sources[name] === undefined ? [] : [[name, sources[name]]]));
  const bare = clone(FileDescriptorProtoSchema, descriptor);
  delete bare.sourceCodeInfo;
  return {
    protos: { ...(Object.fromEntries(protos) as Record<string, string>), [path]: source },
    descriptorSet: setOf(files),
    bound: Object.fromEntries(Object.entries(roots).map(([port, name]) => [port, `${packageName}.${name}`])),
    messages: files.filter(({ package: name }) => name !== 'google.protobuf').flatMap(fullNames),
    binding: setOf([bare]),
  };
}

function setOf(file: FileDescriptorProto[]): Uint8Array {
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

/** Returns the files that declare the messages, with their imports, in the order of the set: imports first. */
function filesOf(files: readonly FileDescriptorProto[], messages: readonly string[]): FileDescriptorProto[] {
  const byPath = new Map(files.map((file) => [file.name, file]));
  const needed = new Set<FileDescriptorProto>();
  const open = files.filter((file) => messages.some((name) => declares(file, name)));
  for (let file = open.pop(); file; file = open.pop()) {
    if (needed.has(file)) continue;
    needed.add(file);
    for (const path of file.dependency) {
      const imported = byPath.get(path);
      if (imported) open.push(imported);
    }
  }
  return files.filter((file) => needed.has(file));
}

function declares(file: FileDescriptorProto, message: string): boolean {
  return fullNames(file).includes(message);
}

function fullNames({ package: name, messageType }: FileDescriptorProto): string[] {
  const within = (messages: FileDescriptorProto['messageType'], prefix: string): string[] =>
    messages.flatMap((message) => [
      `${prefix}${message.name}`,
      ...within(message.nestedType, `${prefix}${message.name}.`),
    ]);
  return within(messageType, name === '' ? '' : `${name}.`);
}

/** Merges the files of two packages. Files with equal paths must be equal. */
function merged(
  fullName: string,
  existing: readonly FileDescriptorProto[],
  needed: readonly FileDescriptorProto[],
): FileDescriptorProto[] {
  const byPath = new Map(existing.map((file) => [file.name, toBinary(FileDescriptorProtoSchema, file)]));
  const added = needed.filter((file) => {
    const known = byPath.get(file.name);
    if (known && Buffer.compare(known, toBinary(FileDescriptorProtoSchema, file)) !== 0) {
      throw instanceTypesDiffer(fullName, file.name);
    }
    return !known;
  });
  const types = new Set(existing.flatMap(fullNames));
  const twice = added.find((file) => fullNames(file).some((name) => types.has(name)));
  if (twice) throw instanceTypesDiffer(fullName, twice.name);
  return [...existing, ...added];
}

/** Returns `acme/invoices/messages.proto`, or with a suffix if the path is taken. */
function freePath(fullName: string, others: readonly FileDescriptorProto[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  for (let attempt = 1; ; attempt += 1) {
    const path = `${fullName}/messages${attempt === 1 ? '' : `_${attempt}`}.proto`;
    if (!taken.has(path)) return path;
  }
}
