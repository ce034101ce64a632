import { isIPv6 } from 'node:net';

/** An entry of SVC_NODE_HOSTS: where node containers may run. */
export interface NodeHost {
  /** A name or an address in lower case, without brackets and without a trailing dot. */
  host: string;
  /** The allowed ports, inclusive. Absent: every port. */
  ports?: { from: number; to: number };
  /** Handle of the only tenant that may deploy there. Absent: all tenants. */
  tenant?: string;
}

const form =
  /^(?:(?<tenant>[^=]*)=)?(?:(?<name>[a-z0-9._-]+)|\[(?<ipv6>[0-9a-f:.]+)\])(?::(?<range>[^:/]*))?$/;
const rangeForm = /^(?<from>\d+)(?:-(?<to>\d+))?$/;
const handle = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** An IPv6 address without ports needs no brackets. */
const bareIpv6 = /^(?:(?<tenant>[^=]*)=)?(?<ipv6>[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)$/;

/**
 * Reads `host`, `host:port` or `host:from-to`, each after `<handle>=` for one tenant only.
 *
 * @returns the entry, or what is wrong with it
 */
export function readNodeHost(entry: string): NodeHost | { problem: string } {
  const text = entry.trim().toLowerCase();
  const { tenant, name, ipv6, range } = (form.exec(text) ?? bareIpv6.exec(text))?.groups ?? {};
  const host = name === undefined ? ipv6 : withoutTrailingDot(name);
  if (host === undefined || host === '' || (name === undefined && !isIPv6(host)))
    return { problem: 'is not a host name or an address' };
  if (tenant !== undefined && !handle.test(tenant)) {
    return { problem: 'does not start with the handle of a tenant' };
  }
  const entryOf = tenant === undefined ? { host } : { host, tenant };
  if (range === undefined) return entryOf;
  const { from, to } = rangeForm.exec(range)?.groups ?? {};
  if (from === undefined) return { problem: 'has neither a port nor a range of ports after its host' };
  const ports = { from: Number(from), to: Number(to ?? from) };
  if (ports.from < 1 || ports.to < 1 || ports.from > 65_535 || ports.to > 65_535) {
    return { problem: 'has a port outside of 1 to 65535' };
  }
  if (ports.from > ports.to) return { problem: 'has a port range that is out of order' };
  return { ...entryOf, ports };
}

/** Writes an entry as SVC_NODE_HOSTS does, without its tenant. */
export function formatNodeHost({ host, ports }: NodeHost): string {
  if (ports === undefined) return host;
  const range = ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`;
  return `${host.includes(':') ? `[${host}]` : host}:${range}`;
}

/** `nodes.internal.` and `nodes.internal` name the same host. */
export function withoutTrailingDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
