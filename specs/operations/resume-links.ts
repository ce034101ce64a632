import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { resumeBody, resumedHeaders, resumedPause, resumeHeaders } from './pauses.ts';
import { storableText } from './storable-text.ts';

const page = 'text/html; charset=utf-8';

const linkParams = z.object({
  token: storableText.describe('The last segment of the `resume_url` of a pause.'),
});

/** The body of a decision through a link. The link names the pause; unknown fields are ignored. */
export const linkDecisionBody = resumeBody.omit({ pause_id: true }).meta({ id: 'LinkDecision' });

/** The fields of the page's form. */
const decisionForm = z
  .object({
    idempotency_key: storableText
      .optional()
      .describe('The same decision with the same key is one decision, so that a form can be sent again.'),
    value: storableText.optional().describe('The decision as JSON text. Empty: the default of every field.'),
    resumed_by: storableText
      .max(limits.resumedByCharacters)
      .optional()
      .describe('Who decided, for the record of the pause.'),
  })
  .meta({ id: 'DecisionForm' });

const orPage = { shape: invocationError, otherContentTypes: ['text/html'] };

/** Decisions by people without a key, through a link to one pause. */
export const showResumeLink = defineOperation({
  id: 'showResumeLink',
  method: 'get',
  path: '/invocations/v1/hooks/resume/{token}',
  family: 'invocation',
  summary: 'Show the question of a pause',
  description:
    'Returns an HTML page with the question of a pause and a form for the decision. Opening the page decides nothing.',
  caller: 'public',
  params: linkParams,
  query: z.object({
    decision: storableText
      .optional()
      .describe('A decision that was sent by the form. The page then reports whether it came first.'),
  }),
  responses: {
    200: { description: 'The page. A decided pause has no form.', contentType: page },
    403: { description: 'The tenant is suspended.', contentType: page },
    404: { description: 'The link belongs to no pause.', contentType: page },
    409: { description: 'The link or the pause has expired, or the run has ended.', contentType: page },
  },
});

export const resumeByLink = defineOperation({
  id: 'resumeByLink',
  method: 'post',
  path: '/invocations/v1/hooks/resume/{token}',
  family: 'invocation',
  summary: 'Resume a paused run by a link',
  description:
    'Delivers a decision without a key, like `resumeFlow`. The link is valid for one pause until the pause expires. The response to a ' +
    'form redirects to an HTML page, and a refusal of a form is a page.',
  caller: 'public',
  params: linkParams,
  headers: resumeHeaders,
  body: {
    kind: 'bytes',
    maxBytes: limits.invocationBodyBytes,
    shape: linkDecisionBody,
    example: { value: { decision: { approved: true } }, resumed_by: 'ann@example.com' },
    orForm: {
      maxBytes: limits.resumeFormBytes,
      shape: decisionForm,
      example: { value: '{"decision": {"approved": true}}', resumed_by: 'ann@example.com' },
    },
  },
  responses: {
    200: {
      description: 'The run continues, or another decision came first.',
      shape: resumedPause,
      headers: resumedHeaders,
    },
    303: {
      description: 'Response to a form: the page that reports whether the decision came first.',
      headers: { Location: z.string().describe('The link with the decision.') },
    },
    400: {
      description:
        '`INVALID_ARGUMENT`: the body is invalid. `INVALID_RESUME_VALUE`: the value does not fit, or is over 16 MiB; the pause ' +
        'still waits.',
      ...orPage,
    },
    403: { description: 'The tenant is suspended.', ...orPage },
    404: { description: '`PAUSE_NOT_FOUND`: the link belongs to no pause.', ...orPage },
    409: {
      description:
        '`PAUSE_NOT_WAITING`: the link or the pause has expired, or the pause was cancelled. `EXECUTION_NOT_RESUMABLE`: the run has ended.',
      ...orPage,
    },
    429: { description: 'The rate limit or the daily quota of invocations is exceeded.', ...orPage },
    503: { description: '`UNAVAILABLE`: a dependency is down. Repeat the request.', ...orPage },
  },
});
