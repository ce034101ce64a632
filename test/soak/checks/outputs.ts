import type { Check } from './violation.ts';

/** Every result contains the id of its input. */
export const outputs: Check = (history) =>
  history.outputs
    .filter(({ wanted, got }) => wanted !== got)
    .map(({ executionId, wanted, got }) => ({
      about: 'outputs',
      text: `execution ${executionId} returned ${got}, not ${wanted}`,
    }));
