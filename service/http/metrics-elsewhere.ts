/**
 * What the server of the metrics answers to all other requests. Kept apart from the server for the command line: loading `node:http` takes a
 * quarter of the processor time of a short command.
 */
export const metricsElsewhere = 'the metrics are at GET /metrics';
