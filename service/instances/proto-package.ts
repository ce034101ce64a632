import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';

/**
 * Proto package of the messages that a shell package's Instances bind: `acme/invoice-tools` is `acme.invoice_tools`. Where the
 * files beside it leave no room for that, it moves: nothing that a tenant drafts can meet a type of somebody else.
 *
 * @param beside files that will stand in the same version
 */
export function protoPackageOf(fullName: string, beside: readonly FileDescriptorProto[]): string {
  const own = fullName.split('/').map(identifier).join('.');
  for (let attempt = 0; ; attempt += 1) {
    const name = attempt === 0 ? own : `${attempt === 1 ? 'instance' : `instance_${attempt}`}.${own}`;
    if (!beside.some((file) => isTaken(name, file))) return name;
  }
}

function identifier(segment: string): string {
  const word = segment.replace(/[^a-z0-9]/g, '_');
  // `google.protobuf` is built in, and a digit begins no name.
  return /^[0-9]/.test(word) || word === 'google' ? `_${word}` : word;
}

/** Whether types could have one full name: the file declares this package, one in it, or a type where it should be. */
function isTaken(name: string, file: FileDescriptorProto): boolean {
  if (file.package === name || file.package.startsWith(`${name}.`)) return true;
  const declared = [...file.messageType, ...file.enumType, ...file.extension, ...file.service].map((one) =>
    file.package === '' ? one.name : `${file.package}.${one.name}`,
  );
  return declared.some((type) => name === type || name.startsWith(`${type}.`));
}
