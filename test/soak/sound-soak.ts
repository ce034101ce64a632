import type { Tenant } from '../../service/store/tenants.ts';
import type { Check } from './checks/violation.ts';
import type { Evidence } from './evidence/evidence.ts';
import { emptyHistory, type Harm, type HarmKind, type History } from './history.ts';

/** The tenant of the histories in which tests plant violations. */
export const acme: Tenant = { id: 'T', handle: 'acme', status: 'active', limits: {}, createdAt: 0 };

/** Returns the evidence of a service that has done nothing. */
function emptyEvidence(): Evidence {
  return { executions: new Map(), pauses: [], usage: [], journalGaps: [], leftovers: [] };
}

/** Returns the texts of the violations in a history and evidence that are otherwise empty. */
export function textsOf(check: Check, history: Partial<History>, evidence: Partial<Evidence> = {}): string[] {
  return check({ ...emptyHistory(), ...history }, { ...emptyEvidence(), ...evidence }).map(
    ({ text }) => text,
  );
}

/** Returns a fault from 1,000 to 2,000. */
export function harm(kind: HarmKind, target = kind as string): Harm {
  return { kind, target, from: 1_000, to: 2_000 };
}
