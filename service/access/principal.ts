import type { ApiKey } from '../store/api-keys.ts';
import type { Tenant } from '../store/tenants.ts';

/** Who calls: the key that was presented and the tenant that it resolves to. */
export interface Principal {
  tenant: Tenant;
  key: ApiKey;
}
