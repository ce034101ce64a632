import { createRequire } from 'node:module';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type * as SpectralCore from '@stoplight/spectral-core';
import type * as SpectralRulesets from '@stoplight/spectral-rulesets';

// These are CommonJS, whose names Node does not find by `import`.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as typeof SpectralCore;
const { oas } = require('@stoplight/spectral-rulesets') as typeof SpectralRulesets;

/** Rules of Redocly's recommended set that cannot apply, each with its reason. */
const redoclyRules = {
  // Probes, redirects and documents for everybody refuse nobody.
  'operation-4xx-response': 'off',
  // The home page redirects, and does nothing else.
  'operation-2xx-response': 'off',
  // In OpenAPI 3.0 an `allOf` of one is how a reference gets words of its own.
  'no-illogical-composition-keywords': 'off',
} as const;

/** What the recommended rules of Redocly and the `oas` rules of Spectral have to say about a document, warnings too. */
export async function lintDocument(json: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: redoclyRules });
  const problems = await lintFromString({ source: json, config, absoluteRef: '/openapi.json' });
  const spectral = new Spectral();
  // Types of the two packages name their rules differently.
  spectral.setRuleset({ extends: [oas] } as never);
  const results = await spectral.run(json);
  return [
    ...problems.map(
      ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} at ${location[0]?.pointer ?? '#'}`,
    ),
    ...results.map(({ code, message, path }) => `spectral ${code}: ${message} at ${path.join('/')}`),
  ];
}
