import type { z } from 'zod';
import type { listPauses, resumeFlow } from '../../../specs/operations/pauses.ts';
import { isoTime } from '../../clock.ts';
import { checkpointId } from '../../engine/events/checkpoint-id.ts';
import type { DecisionOutcome } from '../../engine/pauses/decide-pause.ts';
import type { Pause } from '../../store/pauses.ts';
import type { AnswerBody } from '../answer/answer.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { RawJson } from '../answer/raw-json.ts';

type PauseJson = z.input<(typeof listPauses)['responses'][200]['shape']>['pauses'][number];

interface PauseDetails {
  /** The flow of the run. */
  graphId: string | undefined;
  /** Shown only while the pause waits; absent if the caller may not decide. */
  resumeUrl: string | undefined;
}

/** Presents a pause. Its question and its decision are sent as they are stored: parsing a page of them would take long. */
export function presentPause(pause: Pause, { graphId, resumeUrl }: PauseDetails): PartlyRaw<PauseJson> {
  const { executionId, seq, question, resumedAt, escalatedAt } = pause;
  return new PartlyRaw<PauseJson>({
    pause_id: pause.id,
    execution_id: executionId,
    graph_id: graphId,
    node_name: pause.node,
    status: pause.status,
    ...(question !== '' && { interrupt_payload: new RawJson(question) }),
    resume_schema: pause.resumeSchema,
    timeout_policy: 'CANCEL',
    checkpoint_id: checkpointId(executionId, seq),
    created_at: isoTime(pause.createdAt),
    expires_at: isoTime(pause.expiresAt),
    ...(pause.status === 'WAITING' && { resume_url: resumeUrl }),
    resumed_at: resumedAt === null ? null : isoTime(resumedAt),
    escalated_at: escalatedAt === null ? null : isoTime(escalatedAt),
    ...presentDecider(pause),
    ...(pause.status === 'RESUMED' && { resume_value: presentDecision(pause) }),
  });
}

/** Presents the outcome of a decision. */
export function answerDecision({ pause, won, isRepeated }: DecisionOutcome): {
  status: 200;
  body: PartlyRaw<AnswerBody<typeof resumeFlow, 200>>;
  headers?: { 'Idempotency-Replayed': string };
} {
  const body = new PartlyRaw<AnswerBody<typeof resumeFlow, 200>>({
    pause_id: pause.id,
    status: pause.status,
    resumed_at: isoTime(pause.resumedAt ?? 0),
    ...presentDecider(pause),
    resume_value: presentDecision(pause),
    already_resumed: !won,
  });
  return { status: 200, body, ...(isRepeated && { headers: { 'Idempotency-Replayed': 'true' } }) };
}

function presentDecider({ resumedBy }: Pause): { resumed_by?: string } {
  return resumedBy === null || resumedBy === '' ? {} : { resumed_by: resumedBy };
}

/** Returns the decision in the record of a pause. */
function presentDecision({ resumeValue }: Pause): RawJson {
  return new RawJson(resumeValue ?? 'null');
}
