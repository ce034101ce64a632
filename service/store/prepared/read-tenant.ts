import { type Tenant, tenants } from '../tenants.ts';
import { coalesceReads } from './coalesce-reads.ts';
import { prepareFind } from './prepare-find.ts';

const find = prepareFind(tenants, ['id']);

/** Returns a tenant by its id. Concurrent calls share one read. */
export const readTenant = coalesceReads((db, id: string): Promise<Tenant | undefined> => find(db, [id]));
