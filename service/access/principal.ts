import type { ApiKey } from '../store/api-keys.ts';
import type { Tenant } from '../store/tenants.ts';

/** The caller: its key and the tenant of the key. */
export interface Principal {
  tenant: Tenant;
  key: ApiKey;
}
