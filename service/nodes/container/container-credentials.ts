import { getCACertificates } from 'node:tls';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';

/**
 * Creates TLS credentials for connections to containers. A container's certificate must match the host of the
 * endpoint and be signed by a trusted authority.
 *
 * @param authorities PEM; `null` for the authorities of the system and of Node
 */
export function containerCredentials(authorities: string | null): ChannelCredentials {
  const trusted =
    authorities ?? [...new Set([...getCACertificates('default'), ...getCACertificates('system')])].join('\n');
  return credentials.createSsl(Buffer.from(trusted));
}
