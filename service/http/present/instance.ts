import type { CreatedInstance } from '../../instances/create-instance.ts';

/** Who may see an Instance, as a number (SPEC.md, Instance row, does not show which): 0 its owner, 1 everybody. */
const visibilityCodes = { private: 0, public: 1 } as const;

/** An Instance row on the wire (SPEC.md, Instance row). */
export function presentInstance({ package: shell, version, node, instance }: CreatedInstance): object {
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
