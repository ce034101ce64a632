import * as operations from '../../../specs/operations/pauses.ts';
import type { Principal } from '../../access/principal.ts';
import { mayFollow } from '../../engine/events/may-follow.ts';
import { decidePause } from '../../engine/pauses/decide-pause.ts';
import { graphIdsOf } from '../../store/executions.ts';
import { listPauses, listRunPauses } from '../../store/list-pauses.ts';
import type { Pause } from '../../store/pauses.ts';
import type { AnswerBody } from '../answer/answer.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { bind, type Route } from '../bind.ts';
import { pageCursors } from '../page-cursor.ts';
import { answerDecision, presentPause } from '../present/pause.ts';
import { readResumeRequest } from '../request/resume-request.ts';

type PauseRouteOptions = Parameters<typeof decidePause>[0] & {
  /** Returns the address at which a pause is decided without a key. */
  resumeUrl: (pause: Pause) => string;
};

/** Pauses of runs, and decisions on them. */
export function pauseRoutes(options: PauseRouteOptions): Route[] {
  const { db, resumeUrl } = options;
  // A link outlives the key, so it is not for app keys, which are public.
  const present = async ({ key, tenant }: Principal, pauses: readonly Pause[]) => {
    const mayDecide = key.kind === 'full' && key.scopes.includes('invoke');
    const runs = pauses.map(({ executionId }) => executionId);
    const graphs = await graphIdsOf(db.knex, tenant.id, runs);
    return pauses.map((pause) =>
      presentPause(pause, {
        graphId: graphs.get(pause.executionId),
        resumeUrl: mayDecide ? resumeUrl(pause) : undefined,
      }),
    );
  };
  return [
    bind(operations.resumeFlow).to(async ({ principal, params, headers, body, signal }) => {
      const request = await readResumeRequest(body, headers);
      const caller = { principal, executionId: params.execution_id, signal };
      return answerDecision(await decidePause(options, caller, request));
    }),
    bind(operations.listExecutionPauses).to(async ({ principal, params }) => {
      const executionId = params.execution_id;
      const follows = await mayFollow(db, principal, executionId);
      const pauses = follows ? await listRunPauses(db.knex, principal.tenant.id, executionId) : [];
      return {
        status: 200,
        body: new PartlyRaw<AnswerBody<typeof operations.listExecutionPauses, 200>>({
          pauses: await present(principal, pauses),
        }),
      };
    }),
    bind(operations.listPauses).to(async ({ principal, query }) => {
      const tenantId = principal.tenant.id;
      const filter = { statuses: [...new Set(query.status)].sort() };
      const cursors = pageCursors(['pauses', tenantId, filter]);
      const after = query.cursor === undefined ? undefined : cursors.read(query.cursor);
      const { pauses, hasMore } = await listPauses(db.knex, tenantId, filter, { after, limit: query.limit });
      const last = hasMore ? pauses.at(-1) : undefined;
      return {
        status: 200,
        body: new PartlyRaw<AnswerBody<typeof operations.listPauses, 200>>({
          pauses: await present(principal, pauses),
          ...(last && { next_cursor: cursors.write(last.id) }),
        }),
      };
    }),
  ];
}
