/**
 * The metrics server's response to all other requests. It has its own file for the command line, because importing `node:http`
 * costs each command about 60 ms of processor time.
 */
export const metricsElsewhere = 'the metrics are at GET /metrics';
