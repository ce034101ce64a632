import { getCACertificates } from 'node:tls';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';

/**
 * TLS for connections to containers: the certificate must be of the endpoint's host and signed by a trusted authority.
 *
 * @param authorities PEM; `null` for the authorities of the system and of Node
 */
export function containerCredentials(authorities: string | null): ChannelCredentials {
  const trusted =
    authorities ?? [...new Set([...getCACertificates('default'), ...getCACertificates('system')])].join('\n');
  return credentials.createSsl(Buffer.from(trusted));
}
