import type { z } from 'zod';
import type { instanceRow } from '../../../specs/operations/instances.ts';
import type { CreatedInstance } from '../../instances/create-instance.ts';

/** Visibility as a number: 0 private, 1 public. */
const visibilityCodes = { private: 0, public: 1 } as const;

/** Presents a new Instance with the node that callers use. The message of a port that it does not bind is omitted. */
export function presentInstance({
  package: shell,
  version,
  node,
  instance,
}: CreatedInstance): z.input<typeof instanceRow> {
  return {
    package_id: shell.id,
    node_ulid: node.id,
    name: `${shell.handle}/${shell.name}`,
    version,
    scope: shell.handle,
    owner_tenant_id: shell.tenantId,
    visibility: visibilityCodes[shell.visibility],
    generic_package: instance.genericPackage,
    generic_version: instance.genericVersion,
    generic_node_ulid: instance.genericNodeId,
    ...(instance.outputMessage === null ? {} : { output_message: instance.outputMessage }),
    ...(instance.inputMessage === null ? {} : { input_message: instance.inputMessage }),
  };
}
