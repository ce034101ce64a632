import { createRequire } from 'node:module';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type * as SpectralCore from '@stoplight/spectral-core';
import type * as SpectralRulesets from '@stoplight/spectral-rulesets';
import type { LintException, LintFinding } from './lint-exceptions.ts';

// CommonJS modules whose named exports Node cannot import.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as typeof SpectralCore;
const { oas } = require('@stoplight/spectral-rulesets') as typeof SpectralRulesets;

/** Returns the problems of a document, without the exceptions. */
export async function lintDocument(json: string, exceptions: readonly LintException[]): Promise<string[]> {
  return (await lintFindings(json))
    .filter((finding) => !exceptions.some((exception) => isExcepted(finding, exception)))
    .map(({ rule, path, message }) => `${rule}: ${message} at ${path}`);
}

export function isExcepted(finding: LintFinding, { rule, path }: LintException): boolean {
  return rule === finding.rule && path.test(finding.path);
}

/** Runs the recommended rules of Redocly and the `oas` rules of Spectral, including warnings. */
export async function lintFindings(json: string): Promise<LintFinding[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: json, config, absoluteRef: '/openapi.json' });
  const spectral = new Spectral();
  // The types of the two packages name their rules differently.
  spectral.setRuleset({ extends: [oas] } as never);
  const results = await spectral.run(json);
  return [
    ...problems.map(({ ruleId, message, location }) => ({
      rule: `redocly ${ruleId}`,
      message,
      path: location[0]?.pointer ?? '#/',
    })),
    ...results.map(({ code, message, path }) => ({
      rule: `spectral ${code}`,
      message,
      path: `#/${path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
    })),
  ];
}
