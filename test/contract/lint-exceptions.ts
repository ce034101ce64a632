/** What a linter says of one place. */
export interface LintFinding {
  /** `redocly <rule>`, `spectral <rule>` */
  rule: string;
  /** JSON pointer, with `#` before it. */
  path: string;
  message: string;
}

export interface LintException {
  rule: string;
  /** Of the pointers that it is about. */
  path: RegExp;
  why: string;
}

const service: readonly LintException[] = [
  {
    rule: 'redocly operation-4xx-response',
    path: /^#\/paths\/~1(healthz|readyz|metrics|docs~1api|openapi\.json|openapi\.yaml)?\/get\//,
    why: 'Probes, pages and documents for everybody take nothing that could be refused.',
  },
  {
    rule: 'redocly operation-2xx-response',
    path: /^#\/paths\/~1\/get\//,
    why: 'The home page redirects, and does nothing else.',
  },
];

const published: readonly LintException[] = [
  {
    rule: 'redocly info-license',
    path: /^#\/info$/,
    why: 'Publishers name no licence.',
  },
  {
    rule: 'spectral info-contact',
    path: /^#\/info$/,
    why: 'Publishers name no contact.',
  },
  {
    rule: 'redocly no-required-schema-properties-undefined',
    path: /^#\/components\/schemas\/[^/]+\/(allOf\/\d+\/)?not\/(anyOf\/\d+\/)?required\/\d+$/,
    why: 'A oneof: `required` within `not` names properties that stand beside the `not`.',
  },
];

/** Rules that do not hold at certain places of the document of the service, and of those of packages and flows. */
export const lintExceptions = { service, published };
