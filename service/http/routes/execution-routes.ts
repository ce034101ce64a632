import { getExecution } from '../../../specs/operations/executions.ts';
import { executionNotFound } from '../../errors/execution-errors.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { bind, type Route } from '../bind.ts';
import { presentExecution } from '../present/execution.ts';

/** Execution history (SPEC.md, Execution record). */
export function executionRoutes({ db }: { db: Database }): Route[] {
  return [
    bind(getExecution, async ({ principal, params }) => {
      const execution = await findExecution(db.knex, principal.tenant.id, params.execution_id);
      if (!execution) throw executionNotFound();
      return { status: 200, body: presentExecution(execution) };
    }),
  ];
}
