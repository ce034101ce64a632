/** A problem at one place. */
export interface LintFinding {
  /** `redocly <rule>`, `spectral <rule>` */
  rule: string;
  /** JSON pointer with a leading `#`. */
  path: string;
  message: string;
}

export interface LintException {
  rule: string;
  /** Pattern of the affected pointers. */
  path: RegExp;
  why: string;
}

const service: readonly LintException[] = [
  {
    rule: 'redocly operation-4xx-response',
    path: /^#\/paths\/~1(healthz|readyz)\/get\//,
    why: 'Probes take nothing that could be refused, and have no rate.',
  },
  {
    rule: 'redocly operation-2xx-response',
    path: /^#\/paths\/~1\/get\//,
    why: 'The home page redirects, and does nothing else.',
  },
  {
    rule: 'redocly operation-2xx-response',
    path: /^#\/paths\/~1invocations~1v1~1(debug-stream|nodes.*~1live)\/get\//,
    why: 'A WebSocket is answered with 101.',
  },
  {
    rule: 'spectral operation-success-response',
    path: /^#\/paths\/~1invocations~1v1~1(debug-stream|nodes.*~1live)\/get\//,
    why: 'A WebSocket is answered with 101.',
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

/** Rules that do not apply to certain places of the documents. */
export const lintExceptions = { service, published };
