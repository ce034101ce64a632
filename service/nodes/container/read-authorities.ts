import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../../config.ts';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities of `SVC_NODE_CA_FILE`.
 *
 * @returns PEM
 * @throws ConfigError if the file cannot be read, or is not a PEM file with certificates
 */
export async function readAuthorities(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw invalid(file, `cannot be read (${(error as Error).message})`);
  }
  const found = text.match(certificate) ?? [];
  if (found.length === 0) throw invalid(file, 'has no certificate');
  for (const one of found) {
    try {
      new X509Certificate(one);
    } catch (error) {
      throw invalid(file, `has a certificate that cannot be read (${(error as Error).message})`);
    }
  }
  return found.join('\n');
}

function invalid(file: string, reason: string): ConfigError {
  return new ConfigError([`SVC_NODE_CA_FILE must be a PEM file with certificates: ${file} ${reason}`]);
}
