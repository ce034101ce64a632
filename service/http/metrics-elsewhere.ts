/**
 * What the server of the metrics answers to all other requests. It has a file of its own for the command line, because importing `node:http`
 * costs each command about 60 ms of processor time.
 */
export const metricsElsewhere = 'the metrics are at GET /metrics';
