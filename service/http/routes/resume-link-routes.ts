import { resumeByLink, showResumeLink } from '../../../specs/operations/resume-links.ts';
import type { ResumeTokens } from '../../access/secrets/resume-tokens.ts';
import { isoTime } from '../../clock.ts';
import { decideKnownPause, type PauseOfTenant } from '../../engine/pauses/decide-pause.ts';
import { findLinkedPause } from '../../engine/pauses/find-linked-pause.ts';
import { nodeOfPause } from '../../engine/pauses/node-of-pause.ts';
import { ApiError } from '../../errors/api-error.ts';
import { pauseNotWaiting } from '../../errors/pause-errors.ts';
import { outlineMessage } from '../../pages/message-outline.ts';
import type { PageSite } from '../../pages/page-frame.ts';
import { pauseNoticePage, questionPage } from '../../pages/resume-page.ts';
import { bind, type Route } from '../bind.ts';
import { presentFormSent, presentSecretPage } from '../present/page.ts';
import { answerDecision } from '../present/pause.ts';
import { decisionOf, readForm, readLinkDecision } from '../request/resume-request.ts';

type ResumeLinkOptions = Parameters<typeof decideKnownPause>[0] & {
  tokens: Pick<ResumeTokens, 'open'>;
  site: () => PageSite;
};

/** Decisions on pauses through links, for people without a key. */
export function resumeLinkRoutes(options: ResumeLinkOptions): Route[] {
  const { site, ids } = options;

  const questionOf = async ({ pause, execution }: PauseOfTenant) => {
    const { node, flow } = await nodeOfPause(options, pause, execution);
    const { registry, input } = node;
    const message = registry.getMessage(pause.resumeSchema) ?? input;
    return {
      flow,
      node: pause.node,
      question: pause.question,
      expiresAt: isoTime(pause.expiresAt),
      resumeSchema: message.typeName,
      outline: outlineMessage(message),
    };
  };

  const refusalPage = <Status extends number>(error: unknown, statuses: readonly Status[]) => {
    if (!(error instanceof ApiError)) throw error;
    const status = statuses.find((one) => one === error.status);
    if (status === undefined) throw error;
    return presentSecretPage(status, pauseNoticePage(site(), problemOf(error)), error.headers);
  };

  return [
    bind(showResumeLink).to(async ({ params, query }) => {
      try {
        const linked = await findLinkedPause(options, params.token);
        const { pause } = linked;
        if (pause.status === 'RESUMED') {
          return presentSecretPage(200, pauseNoticePage(site(), outcomeText(linked, query.decision)));
        }
        if (pause.status !== 'WAITING') throw pauseNotWaiting(pause.status);
        const question = { ...(await questionOf(linked)), idempotencyKey: ids.ulid() };
        return presentSecretPage(200, questionPage(site(), question));
      } catch (error) {
        return refusalPage(error, [403, 404, 409]);
      }
    }),
    bind(resumeByLink).to(async ({ params, headers, body, signal }) => {
      if (!('readForm' in body)) {
        const linked = await findLinkedPause(options, params.token);
        const { value: sent, ...decider } = await readLinkDecision(body, headers);
        return answerDecision(await decideKnownPause(options, { ...linked, signal }, { sent, ...decider }));
      }
      try {
        const linked = await findLinkedPause(options, params.token);
        const form = await readForm(body);
        try {
          const { value: sent, resumedBy, decisionId = ids.ulid() } = decisionOf(form);
          await decideKnownPause(options, { ...linked, signal }, { sent, resumedBy, decisionId });
          return presentFormSent(`?decision=${decisionId}`);
        } catch (error) {
          const status =
            error instanceof ApiError && ([400, 429] as const).find((one) => one === error.status);
          // After any other refusal, the question is no longer open, or cannot be read now.
          if (!status) throw error;
          // Browsers do not restore the input of a page sent with `no-store`.
          const { idempotencyKey, ...typed } = form;
          const refused = { problem: problemOf(error), ...typed };
          const question = { ...(await questionOf(linked)), idempotencyKey, refused };
          return presentSecretPage(status, questionPage(site(), question), error.headers);
        }
      } catch (error) {
        return refusalPage(error, [400, 403, 404, 409, 429, 503]);
      }
    }),
  ];
}

/**
 * Returns the text for a question that has been decided.
 *
 * @param decisionId the reader's own decision, if there is one
 */
function outcomeText({ pause, execution }: PauseOfTenant, decisionId: string | undefined): string {
  const isOver = execution.completedAt !== null;
  const end = isOver ? ` The run has ended: ${execution.status}.` : '';
  if (pause.decisionId === decisionId) return `Your decision is recorded.${end || ' The run continues.'}`;
  const by = pause.resumedBy ? ` by ${pause.resumedBy}` : '';
  const sent = decisionId === undefined ? '' : 'Your decision came too late. ';
  return `${sent}This question has been decided${by}. The first decision counts.${end}`;
}

/** Returns the text for a refusal: the reason, and its consequence for the reader's decision. */
function problemOf(error: ApiError): string {
  const text = textOf(error);
  switch (error.status) {
    case 403:
      return `No decision can be made now: ${text}.`;
    case 404:
      return 'This link leads to no question. Check that it is complete, or ask for a new one.';
    case 409:
      return `This question can no longer be decided: ${text}.`;
    case 429:
      return `The decision was not accepted: ${text}. The question still waits: send the decision again later.`;
    case 503:
      return text;
    default:
      return `The decision was not accepted: ${text}`;
  }
}

/** Returns the text of a refusal without its error class. */
function textOf({ body }: ApiError): string {
  const text = typeof body === 'object' ? (body.message ?? body.error) : body;
  return typeof text === 'string' ? text : 'The request was refused.';
}
