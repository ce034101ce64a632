import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';

/**
 * Returns the proto package of a shell package's drafted messages: `acme.invoice_tools` for `acme/invoice-tools`. If other files use
 * the name, it gets a prefix, so that drafted types never collide with other types.
 *
 * @param others the other files of the version
 */
export function protoPackageOf(fullName: string, others: readonly FileDescriptorProto[]): string {
  const own = fullName.split('/').map(identifier).join('.');
  for (let attempt = 0; ; attempt += 1) {
    const name = attempt === 0 ? own : `${attempt === 1 ? 'instance' : `instance_${attempt}`}.${own}`;
    if (!others.some((file) => isTaken(name, file))) return name;
  }
}

function identifier(segment: string): string {
  const name = segment.replace(/[^a-z0-9]/g, '_');
  // `google.protobuf` is built in, and a name cannot start with a digit.
  return /^[0-9]/.test(name) || name === 'google' ? `_${name}` : name;
}

/** Reports whether types could collide: the file declares the package, a package in it, or a type with its name. */
function isTaken(name: string, file: FileDescriptorProto): boolean {
  if (file.package === name || file.package.startsWith(`${name}.`)) return true;
  const declared = [...file.messageType, ...file.enumType, ...file.extension, ...file.service].map((one) =>
    file.package === '' ? one.name : `${file.package}.${one.name}`,
  );
  return declared.some((type) => name === type || name.startsWith(`${type}.`));
}
