import { exactNumber } from '../../../specs/exact-json.ts';
import type { Json } from '../../errors/api-error.ts';
import { redactLabelled } from './redact-labelled.ts';

const redacted = '[redacted]';

/** Keys whose values are always secrets: all text in them, including in lists and objects. */
const secretKey =
  /pass(?:word|wd|phrase|code)|secret|api[-_]?key|private[-_]?key|access[-_]?key|authorization|credential|(?:^|[-_])(?:token|pwd)$|Token$/i;

/** Texts that are secrets under any key. Each pattern runs in linear time. */
const secretForms = [
  /(?:svcapp_)?[0-9a-f]{64}/gi,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /\bBearer [A-Za-z0-9._~+/-]{16,}=*/gi,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
];

/**
 * Replaces everything in JSON text that looks like a secret with `[redacted]`. Text without secrets is returned
 * unchanged.
 */
export function redactSecrets(json: string): string {
  const { value, hidden } = replaceTexts(json, redactText);
  return hidden > 0 ? JSON.stringify(value) : json;
}

function redactText(key: string, value: Json): Json {
  if (secretKey.test(key)) return hideText(value);
  if (typeof value !== 'string') return value;
  const shown = secretForms.reduce((text, form) => text.replace(form, redacted), value);
  return redactLabelled(shown, redacted);
}

/** Replaces all text in a value. Returns the value itself if it has no text. */
function hideText(value: Json): Json {
  if (typeof value === 'string') return value === '' ? value : redacted;
  if (value === null || typeof value !== 'object') return value;
  const shown = replaceTexts(JSON.stringify(value), (_key, part) =>
    typeof part === 'string' ? hideText(part) : part,
  );
  return shown.hidden > 0 ? shown.value : value;
}

/** Parses JSON, preserving the digits of numbers, and counts the values that `replace` changes. */
function replaceTexts(
  json: string,
  replace: (key: string, value: Json) => Json,
): { value: Json; hidden: number } {
  let hidden = 0;
  const value = JSON.parse(json, (key, part: Json, context?: { source?: string }) => {
    if (typeof part === 'number') return exactNumber(key, part, context);
    const shown = replace(key, part);
    if (shown !== part) hidden += 1;
    return shown;
  }) as Json;
  return { value, hidden };
}
