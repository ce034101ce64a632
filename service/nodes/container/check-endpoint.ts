import { formatNodeHost, type NodeHost, withoutTrailingDot } from '../../node-hosts.ts';
import { shorten } from '../../errors/shorten.ts';

/** Where an endpoint leads: `host:port`, with or without TLS. */
export interface EndpointTarget {
  target: string;
  tls: boolean;
}

/** @returns the target, or why the endpoint is refused */
type CheckedEndpoint = EndpointTarget | { error: string };

/** Who may deploy where. */
interface EndpointRules {
  /** The entries of `SVC_NODE_HOSTS`. */
  hosts: readonly NodeHost[];
  /** Handle of the tenant that deploys. Absent: entries for one tenant do not apply. */
  tenant?: string | undefined;
}

const form = /^grpc(s?):\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i;

/**
 * Checks that an endpoint has the form `grpc://host:port` or `grpcs://host:port`, and that the operator allows the tenant to
 * deploy there (`SVC_NODE_HOSTS`), so that no tenant makes the service call other hosts. Hosts are compared as written, ignoring
 * case and a trailing dot. Names are not resolved.
 *
 * @returns the target, or an error that says what to do and names only entries that concern the tenant
 */
export function checkEndpoint(endpoint: string, { hosts, tenant }: EndpointRules): CheckedEndpoint {
  const [, secure, ipv6, name, digits] = form.exec(endpoint) ?? [];
  const host = ipv6?.toLowerCase() ?? (name && withoutTrailingDot(name.toLowerCase()));
  const port = Number(digits);
  if (host === undefined || host === '' || port < 1 || port > 65_535) {
    return {
      error:
        `endpoint ${quoted(endpoint)} does not have the form grpc://host:port or grpcs://host:port: ` +
        'give for example grpc://localhost:7001',
    };
  }
  const ofTenant = hosts.filter((entry) => entry.tenant === undefined || entry.tenant === tenant);
  const ofHost = ofTenant.filter((entry) => entry.host === host);
  if (!ofHost.some(({ ports }) => ports === undefined || (ports.from <= port && port <= ports.to))) {
    return {
      error:
        ofHost.length > 0
          ? notAllowed(`endpoint port ${port} of host ${quoted(host)}`, ofHost)
          : notAllowed(`endpoint host ${quoted(host)}`, ofTenant),
    };
  }
  return { target: `${ipv6 === undefined ? host : `[${host}]`}:${port}`, tls: secure !== '' };
}

function notAllowed(refused: string, allowed: readonly NodeHost[]): string {
  if (allowed.length === 0) {
    return `${refused} is not in SVC_NODE_HOSTS (which has no host for your packages): ask the operator to add it`;
  }
  const list = allowed.map(formatNodeHost).join(', ');
  return `${refused} is not in SVC_NODE_HOSTS (${list}): run the containers on one of these, or ask the operator to add it`;
}

/** Quotes a tenant's text on one line, shortened. */
function quoted(text: string): string {
  return JSON.stringify(shorten(text, 100));
}
