import type { Tx } from '../../store/database.ts';
import { listSealed, replaceSealed, type SealedPlace } from '../../store/sealed-values.ts';
import { type SealedOwner, tokenOwner } from './secret-cipher.ts';

/** An encrypted secret or token. */
interface SealedRecord {
  place: SealedPlace;
  owner: SealedOwner;
  sealed: Uint8Array;
  replace: (sealed: Uint8Array) => Promise<void>;
}

/** Maximum number of values in memory at once: a secret can be 64 KiB long. */
const pageSize = 100;

/** Iterates over everything that is encrypted with the encryption key, of all tenants. */
export async function* sealedRecords(tx: Tx): AsyncGenerator<SealedRecord> {
  for (const place of ['secrets', 'tokens'] as const) {
    for (let page = await listSealed(tx, place, { limit: pageSize }); page.length > 0;) {
      for (const row of page) {
        const { tenantId, key, sealed } = row;
        const owner = place === 'tokens' ? tokenOwner({ tenantId, id: key }) : { tenantId, name: key };
        yield { place, owner, sealed, replace: (next) => replaceSealed(tx, place, { ...row, sealed: next }) };
      }
      page = await listSealed(tx, place, { after: page.at(-1), limit: pageSize });
    }
  }
}
