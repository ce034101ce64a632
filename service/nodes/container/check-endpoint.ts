/** The gRPC target of an endpoint, or why the endpoint is refused. */
type CheckedEndpoint = { target: string } | { error: string };

const form = /^grpc:\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i;

/**
 * Checks that an endpoint has the form `grpc://host:port` and names a host that the operator allows (`SVC_NODE_HOSTS`), so that no
 * tenant makes the service call other hosts. Hosts are compared as written, without regard to case. Names are not resolved.
 *
 * @param allowedHosts names or addresses without port; IPv6 without brackets
 * @returns the target `host:port`, or an error that says what to do
 */
export function checkEndpoint(endpoint: string, allowedHosts: readonly string[]): CheckedEndpoint {
  const [, ipv6, name, digits] = form.exec(endpoint) ?? [];
  const host = (ipv6 ?? name)?.toLowerCase();
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) {
    return {
      error: `endpoint ${quoted(endpoint)} does not have the form grpc://host:port: give for example grpc://localhost:7001`,
    };
  }
  if (!allowedHosts.some((allowed) => allowed.toLowerCase() === host)) {
    return {
      error:
        `endpoint host ${quoted(host)} is not in SVC_NODE_HOSTS (${allowedHosts.join(', ')}): ` +
        'run the containers on one of these hosts, or ask the operator to add it',
    };
  }
  return { target: `${ipv6 === undefined ? host : `[${host}]`}:${port}` };
}

/** Quotes a tenant's text on one line, shortened. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
