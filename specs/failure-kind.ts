/** Causes of failed nodes and runs: the values of `failure_kind` in events. A failure with another cause has no kind. */
export const failureKinds = [
  'EDGE_ADAPTER',
  'EDGE_CONDITION',
  'NODE_ERROR',
  'NODE_UNREACHABLE',
  'NODE_TIMEOUT',
  'INPUT_INVALID',
  'OUTPUT_INVALID',
  'QUOTA',
  'STEP_LIMIT',
  'JOIN',
  'CANCELLED',
] as const;

/** One of `failureKinds`. Fields of this type are absent or `null` for other causes. */
export type FailureKind = (typeof failureKinds)[number];
