import * as operations from '../../../specs/operations/instances.ts';
import { createInstance, type InstanceOptions } from '../../instances/create-instance.ts';
import { bind, type Route } from '../bind.ts';
import { presentInstance } from '../present/instance.ts';

/** Creation of Instances. They are listed and called as packages and nodes. */
export function instanceRoutes(options: InstanceOptions): Route[] {
  return [
    bind(operations.createInstance).to(async ({ principal, body }) => {
      const created = await createInstance(options, principal.tenant, body);
      return { status: 201, body: presentInstance(created) };
    }),
  ];
}
